package verwalter.model;

/** The type of a {@link Condition}. The title is the {@code type} field of the condition. */
public enum ConditionType {
  /**
   * Of a node: its agent runs and applies schedules. Of an instance: it is in the desired state.
   */
  READY,
  /**
   * Of an instance: nothing prevents its start, or that of its new version. Absent if nothing ever
   * has.
   */
  ADMITTED,
  /**
   * Of an instance: no counter of a command is smaller than the last one that was carried out.
   * Absent if none ever was.
   */
  COUNTERS_CURRENT,
  /** Of a role: all of its files could be read. */
  CONFIG_VALID,
  /**
   * Of a node: its configuration directory equals the configuration in force, and its templates
   * those of the leader; absent if they always have. Of a configuration: the leader's directory has
   * it.
   */
  CONFIG_IN_FORCE,
  /** Of a role: its nodes have the templates of the leader. Absent if they always have. */
  TEMPLATES_EQUAL,
  /** Of a role: the scheduler accepts its metadata. Absent if it always has. */
  SCHEDULED,
  /**
   * Of a role: none of its instances has an error. Unknown while the instances of one of its nodes
   * are unknown and no other has an error.
   */
  HEALTHY,
  /**
   * Of a role: its last rollout has not failed, or what it should bring is not wanted any longer.
   * Absent if none ever has failed.
   */
  ROLLED_OUT,
  /** Of a role: the schedule has a node for each of its processes. Absent if it always has had. */
  PLACED,
  /** Of a schedule: the newest files of the scheduler could be loaded. */
  SCHEDULER_LOADED,
  /** Of a schedule: the last run of the scheduler returned a decision. */
  DECIDED,
  /** Of a schedule: all nodes that it assigns roles to exist. Absent if they always have. */
  NODES_KNOWN,
  /**
   * Of a node's schedule: each of its roles has a role instance. Of a process group: the supervisor
   * accepted its processes.
   */
  ACCEPTED,
  /**
   * Of a process group: no process left the session of the process that started it. Absent if none
   * ever has.
   */
  CONTAINED,
  /**
   * Of a process group: the limits of its processes are enforced. Absent if they always have been.
   */
  LIMITED,
  /** Of a deployment ref: what its spec asks for is on the disk. */
  PREPARED,
  /**
   * Of a deployment ref: when its files were last compared with their list, nothing differed.
   * Absent if they never were.
   */
  VERIFIED,
  /** Of a template output: the files of the newest input or of a pinned release are in place. */
  RENDERED,
  /**
   * Of a template output: the files of the next release could be rendered, and its checks passed.
   * Absent if a release was never replaced.
   */
  CHECKED,
  /** Of a template output: the files on disk equal the written ones. */
  AS_WRITTEN,
  /**
   * Of an instance: its processes have the version and the variables of its spec. Absent if they
   * never had others while nothing was being done about it.
   */
  UP_TO_DATE;

  private final String title = Reason.camelCase(name());

  /** The word in the condition, such as {@code AsWritten}. */
  public String title() {
    return title;
  }
}
