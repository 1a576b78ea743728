package verwalter.cluster.sides;

/** What happens to the processes of one role on a node that was lost and is back. Pure. */
public enum ReturnedRole {
  /** The schedule assigns the role to the node: its processes are adopted. */
  ADOPT,
  /** The role was moved, and does not run in its new place yet: the processes keep running. */
  KEEP,
  /** The role runs in its new place: the processes are stopped. */
  STOP;

  /**
   * Decides about a role.
   *
   * @param assigned whether the newest schedule assigns the role to the node
   * @param current whether the node knows the newest schedule
   * @param readyElsewhere whether the processes that replace those of the node are ready
   */
  public static ReturnedRole of(boolean assigned, boolean current, boolean readyElsewhere) {
    if (!current) {
      return KEEP;
    }
    if (assigned) {
      return ADOPT;
    }
    return readyElsewhere ? STOP : KEEP;
  }
}
