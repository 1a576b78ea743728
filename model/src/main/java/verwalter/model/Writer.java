package verwalter.model;

/** A party that writes objects. Each part of an object has few writers; see {@link Kind}. */
public enum Writer {
  /** Operators and their programs, through the HTTP API. */
  OPERATOR("operators"),
  /** The controller that reads the configuration directory. */
  CONFIG("the config controller"),
  /** The controller that says whether the instances of a role have errors. */
  ROLE("the role controller"),
  /** The controller that says how far the rollouts of roles are. */
  ROLLOUT("the rollout controller"),
  /** The controller that runs the scheduler. */
  SCHEDULE("the schedule controller"),
  /** The controller that converts a node's share of the schedule to role instances. */
  NODE_SCHEDULE("the node-schedule controller"),
  /** The controller of role instances. */
  INSTANCE("the instance controller"),
  /** The controller that renders templates. */
  TEMPLATE("the template controller"),
  /** The controller that fetches and unpacks the files of role versions. */
  DEPLOYMENT("the deployment controller"),
  /** The controller that runs processes through the supervisor. */
  PROCESS("the process controller"),
  /** The controller that describes the agent's own machine. */
  NODE("the node controller"),
  /**
   * The move of a node's objects to the node's new name. No kind lists it: it writes every part of
   * the objects of its own node whose master is the node.
   */
  RENAMING("the renaming"),
  /** The controller that watches the leases of nodes. */
  LEASE("the lease controller"),
  /** The server of joining machines. */
  JOIN("the join server"),
  /** The controller of the electors, which also removes nodes. */
  MEMBERSHIP("the membership controller"),
  /** The recorder of events. */
  EVENTS("the event recorder");

  private final String title;

  Writer(String title) {
    this.title = title;
  }

  /** The noun for messages and documentation, such as {@code the instance controller}. */
  public String title() {
    return title;
  }
}
