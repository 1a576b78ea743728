package verwalter.model;

/** What a {@link Condition} is about. Its title is the {@code type} in the condition. */
public enum ConditionType {
  /** Of a node: its agent runs and carries out schedules. Of an instance: it is as wanted. */
  READY,
  /** Of a role: all of its files could be read. */
  CONFIG_VALID,
  /** Of a role: the scheduler takes its metadata; absent where it always has. */
  SCHEDULED,
  /** Of a schedule: the newest files of the scheduler could be loaded. */
  SCHEDULER_LOADED,
  /** Of a schedule: the last run of the scheduler gave a decision. */
  DECIDED,
  /** Of a schedule: it gives roles to nodes that there are; absent where it always has. */
  NODES_KNOWN,
  /**
   * Of a node's schedule: each of its roles has a role instance. Of a process group: the supervisor
   * took its entries.
   */
  ACCEPTED,
  /** Of a template output: the files of the newest input are in place, or of a chosen release. */
  RENDERED,
  /** Of a template output: the files on disk are as they were written. */
  AS_WRITTEN;

  private final String title = Reason.camelCase(name());

  /** The word in the condition, such as {@code AsWritten}. */
  public String title() {
    return title;
  }
}
