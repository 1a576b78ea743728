package verwalter.model;

import java.util.Locale;

/** The reason of a {@link Condition} or an {@link Event}. */
public enum Reason {
  /** The agent of the node runs. */
  AGENT_RUNNING,
  /** The agent of the node has not renewed its lease: it is unknown whether it runs. */
  LEASE_EXPIRED,
  /** The agent of the node has not reported since the node joined. */
  NEVER_REPORTED,
  /** The name of the node belongs to another machine; an event. */
  NAME_TAKEN,
  /** A write lost against that of another side when a split of the cluster ended; an event. */
  OVERRIDDEN,
  /** A machine was renamed; an event. */
  RENAMED,
  /** The files of a renamed machine cannot be moved to its new name; an event. */
  FILES_NOT_MOVED,

  /** The files of the role were read. */
  READ,
  /** Some file of the role cannot be read. */
  UNREADABLE,
  /** The directory with the files of all roles is missing or cannot be read. */
  DIRECTORY_UNKNOWN,
  /** Some file of a role cannot be read; an event. */
  CONFIG_UNREADABLE,

  /** No instance of a role has an error. */
  NO_ERRORS,
  /** The last rollout of a role has not failed. */
  ROLLED_OUT,
  /** The schedule has a node for each process of a role. */
  PLACED,
  /** Some process of a role finds no node that can run it. */
  NO_PLACE,
  /** Some instance of a role has an error. */
  INSTANCES_FAILED,
  /** The instances of a role are unknown on some node. */
  INSTANCES_UNKNOWN,

  /** The configuration directory is the one in force. */
  IN_FORCE,
  /** The directory of the leader differs from the configuration in force and was not accepted. */
  NOT_ACCEPTED,
  /** The configuration directory of a node differs from the configuration in force. */
  DIRECTORY_DIFFERS,
  /** The templates of a role are the same on all of its nodes. */
  EQUAL,
  /** The templates of a role differ from those of the leader. */
  TEMPLATES_DIFFER,
  /** The configuration in force has changed; an event. */
  CONFIG_TAKEN,

  /** The scheduler was loaded. */
  LOADED,
  /** The scheduler cannot be loaded. */
  LOAD_FAILED,
  /** The scheduler returned a decision. */
  DECIDED,
  /** The nodes of the schedule exist. */
  ALL_NODES_KNOWN,
  /** The schedule assigns roles to nodes that do not exist. */
  UNKNOWN_NODES,
  /** The scheduler failed. */
  SCHEDULER_FAILED,
  /** The store refuses the decision, for example because it is too large. */
  PUBLISH_FAILED,
  /** A schedule is in force, or the scheduler accepts the metadata of a role. */
  SCHEDULED,
  /** The object makes the scheduler fail and is left out of its input. */
  SET_ASIDE,

  /** The request was accepted. */
  ACCEPTED,
  /** Some roles cannot become role instances. */
  ROLES_REFUSED,
  /** A query program failed to return the roles of the node. */
  QUERY_FAILED,

  /** The counters of commands are not smaller than the last ones that were carried out. */
  COUNTERS_CURRENT,
  /** A counter is smaller than the last one that was carried out, so it has no effect. */
  COUNTER_BEHIND,

  /** Nothing prevents the start of the instance any more. */
  ADMITTED,
  /** The node has too little memory that it may reserve for the instance. */
  MISSING_MEMORY,
  /** What ran before the machine was started is started first. */
  PRIORITY_HOLD,
  /** The version starts some time after it could. */
  START_DELAYED,

  /** Processes of the instance run, but are not ready. */
  NOT_READY,
  /** It is not known whether processes of the instance are ready. */
  READINESS_UNKNOWN,
  /** A process was restarted because its startup or liveness probe failed; an event. */
  UNHEALTHY,
  /** A command that runs by time has ended; an event. */
  COMMAND_ENDED,
  /** A command that runs by time has failed; an event. */
  COMMAND_FAILED,
  /** The instance is in the desired state. */
  AS_WANTED,
  /** The files of the instance are being rendered. */
  RENDERING,
  /** Processes of the instance are being started. */
  STARTING,
  /** The instance does not work. */
  BROKEN,
  /** Processes of the instance are being stopped. */
  STOPPING,
  /** The instance was created; an event. */
  BECAME_INITIAL,
  /** The programs of the instance are being downloaded and unpacked; an event. */
  BECAME_PREPARING,
  /** The instance may not start yet; an event. */
  BECAME_WAITING,
  /** The instance waits for its files; an event. */
  BECAME_RENDERING,
  /** The instance waits for its processes; an event. */
  BECAME_BOOTING,
  /** The instance runs; an event. */
  BECAME_RUNNING,
  /** The instance stopped working; an event. */
  BECAME_BROKEN,
  /** The instance is being stopped; an event. */
  BECAME_HALTING,
  /** The instance has no process to run; an event. */
  BECAME_HALTED,

  /** The processes of an instance have the version and the variables of its spec. */
  UP_TO_DATE,
  /** Changed variables of an instance wait for its next restart. */
  RESTART_REQUIRED,
  /** The version of the spec has failed, and the former one runs again; also an event. */
  REVERTED,

  /** The rendered files are in place. */
  IN_PLACE,
  /** Files were rendered; an event. */
  RENDERED,
  /** A release is pinned, and changes of templates are not applied. */
  ROLLED_BACK,
  /** Rendering, a check or a command failed, and is not tried again before something changes. */
  RENDER_FAILED,
  /** The machine failed to read or write files, or to run a command; it is tried again. */
  MACHINE_FAILED,
  /** The files of the next release were rendered and checked. */
  CHECKED,
  /** A guard holds the rendering back until an operator allows it. */
  HELD,
  /** Another role must be done first. */
  WAITING,
  /** Roles need each other in a cycle. */
  NEEDS_CYCLE,
  /** The files on disk equal the written ones. */
  AS_WRITTEN,
  /** Written files were changed. */
  DRIFTED,
  /** Changed files were restored; an event. */
  REPAIRED,
  /** An operator allowed a rendering that a guard had held; an event. */
  GUARD_OVERRULED,

  /** The supervisor refused the entries of a process group. */
  REFUSED,

  /** All processes of a group are in the sessions of the processes that started them. */
  CONTAINED,
  /** Some processes of a group left the sessions of the processes that started them. */
  DETACHED,

  /** The limits of all processes of a group are enforced. */
  LIMITED,
  /** Limits of some processes of a group are not enforced. */
  LIMITS_NOT_ENFORCED,

  /** The archive or the release is on the disk. */
  PREPARED,
  /** The release is being prepared; nothing has failed. */
  PREPARING,
  /** The files of a release have vanished, and are unpacked again. */
  RELEASE_LOST,
  /** The files of a release are those of its archive. */
  INTACT,
  /** Files of a release are not as they were unpacked. */
  DAMAGED,
  /** A digest is malformed, or is not the one that was found first. */
  BAD_DIGEST,
  /** The source of an archive is not supported. */
  BAD_SOURCE,
  /** A release cannot have this name, or another archive has it. */
  BAD_KEY,
  /** A setting, such as a proxy, is malformed. */
  BAD_SETTING,
  /** The disk has too little space. */
  NO_SPACE,
  /** The source has another archive than the digest says. */
  DIGEST_MISMATCH,
  /** The source does not exist. */
  NOT_FOUND,
  /** A server or the machine does not permit the access to an archive. */
  ACCESS_DENIED,
  /** The server cannot be reached or has failed. */
  UNREACHABLE,
  /** The connection ended before the last byte. */
  CONNECTION_LOST,
  /** The server redirects too often or to an address that is not allowed. */
  BAD_REDIRECT,
  /** No byte has arrived for too long. */
  STALLED,
  /** The archive exceeds a limit. */
  TOO_LARGE,
  /** The archive is malformed, or has entries that are not allowed. */
  BAD_ARCHIVE,
  /** The work was cancelled. */
  CANCELLED,
  /** The disk has failed. */
  DISK_FAILED,

  /** The metrics of a process cannot be read; an event. */
  METRICS_UNREADABLE,
  /** A metrics rule in the schedule is invalid; an event. */
  BAD_METRICS_RULE;

  private final String title = camelCase(name());

  /** The word in conditions and events, such as {@code RolledBack}. */
  public String title() {
    return title;
  }

  /** The reason of the event that an instance entered {@code state}. */
  public static Reason became(RoleInstance.State state) {
    return valueOf("BECAME_" + state.name());
  }

  /** Converts the name of a constant to CamelCase: {@code ROLLED_BACK} to RolledBack. */
  static String camelCase(String constant) {
    var words = new StringBuilder(constant.length());
    for (var word : constant.split("_", -1)) {
      words.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return words.toString();
  }
}
