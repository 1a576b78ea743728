package verwalter.model;

import java.util.Locale;

/** Why a {@link Condition} is as it is, or what an {@link Event} reports. */
public enum Reason {
  /** The agent of the node runs. */
  AGENT_RUNNING,
  /** The agent of the node has not renewed its lease: it is unknown whether it runs. */
  LEASE_EXPIRED,
  /** Another machine has the name of the node already; an event. */
  NAME_TAKEN,
  /** A machine has another name than before; an event. */
  RENAMED,

  /** The files of the role were read. */
  READ,
  /** Some file of the role cannot be read. */
  UNREADABLE,
  /** Some file of a role cannot be read; an event. */
  CONFIG_UNREADABLE,

  /** The scheduler was loaded. */
  LOADED,
  /** The scheduler cannot be loaded. */
  LOAD_FAILED,
  /** The scheduler gave a decision. */
  DECIDED,
  /** The nodes of the schedule exist. */
  ALL_NODES_KNOWN,
  /** The schedule gives roles to nodes that do not exist. */
  UNKNOWN_NODES,
  /** The scheduler failed. */
  SCHEDULER_FAILED,
  /** A schedule is in force; or the scheduler takes the metadata of a role. */
  SCHEDULED,
  /** The scheduler fails with this object and is run without it. */
  SET_ASIDE,

  /** What was asked for was accepted. */
  ACCEPTED,
  /** Some roles cannot become role instances. */
  ROLES_REFUSED,
  /** A query program did not give the roles of the node. */
  QUERY_FAILED,

  /** The instance is as wanted. */
  AS_WANTED,
  /** The files of the instance are being rendered. */
  RENDERING,
  /** Processes of the instance are being started. */
  STARTING,
  /** Something of the instance does not work. */
  BROKEN,
  /** Processes of the instance are being stopped. */
  STOPPING,
  /** The instance was seen for the first time; an event. */
  BECAME_INITIAL,
  /** The instance waits for its files; an event. */
  BECAME_RENDERING,
  /** The instance waits for its processes; an event. */
  BECAME_BOOTING,
  /** The instance runs; an event. */
  BECAME_RUNNING,
  /** Something of the instance stopped working; an event. */
  BECAME_BROKEN,
  /** The instance is being stopped; an event. */
  BECAME_HALTING,
  /** The instance has no process to run; an event. */
  BECAME_HALTED,

  /** The rendered files are in place. */
  IN_PLACE,
  /** Files were rendered; an event. */
  RENDERED,
  /** A release is held in place, whatever the templates say. */
  ROLLED_BACK,
  /** Rendering, a check or a command failed. */
  RENDER_FAILED,
  /** A guard holds the rendering back until an operator allows it. */
  HELD,
  /** Another role has to be done first. */
  WAITING,
  /** Roles need each other in a circle. */
  NEEDS_CYCLE,
  /** The files are as they were written. */
  AS_WRITTEN,
  /** Files were changed by others. */
  DRIFTED,
  /** Files that others had changed were written again; an event. */
  REPAIRED,
  /** An operator allowed a rendering that a guard had held; an event. */
  GUARD_OVERRULED,

  /** The supervisor refused the entries of a process group. */
  REFUSED,

  /** The metrics of a process cannot be read; an event. */
  METRICS_UNREADABLE,
  /** A rule for metrics in the schedule is wrong; an event. */
  BAD_METRICS_RULE;

  private final String title = camelCase(name());

  /** The word in conditions and events, such as {@code RolledBack}. */
  public String title() {
    return title;
  }

  /** The event that an instance has entered {@code state}. */
  public static Reason became(RoleInstance.State state) {
    return valueOf("BECAME_" + state.name());
  }

  /** A constant's name as Kubernetes writes such words: {@code ROLLED_BACK} as RolledBack. */
  static String camelCase(String constant) {
    var words = new StringBuilder(constant.length());
    for (var word : constant.split("_", -1)) {
      words.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return words.toString();
  }
}
