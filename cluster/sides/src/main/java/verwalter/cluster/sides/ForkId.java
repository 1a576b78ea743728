package verwalter.cluster.sides;

/**
 * One term on a fork. Only its leader writes in it, so revisions within it have one order.
 *
 * @param epoch the epoch of the term
 * @param leader machine id of its leader
 */
public record ForkId(long epoch, String leader) implements Comparable<ForkId> {
  @Override
  public int compareTo(ForkId other) {
    int byEpoch = Long.compare(epoch, other.epoch);
    return byEpoch != 0 ? byEpoch : leader.compareTo(other.leader);
  }

  @Override
  public String toString() {
    return epoch + "." + leader;
  }
}
