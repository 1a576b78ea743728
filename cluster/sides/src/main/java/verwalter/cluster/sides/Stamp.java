package verwalter.cluster.sides;

import verwalter.model.Version;

/**
 * The place of a write among all writes of all sides. A later epoch is larger, then a later
 * revision, then the larger machine id, so that all nodes choose the same write.
 *
 * @param fork the term of the write; for a write of the log its leader is empty
 * @param revision the revision of the write
 */
public record Stamp(ForkId fork, long revision) implements Comparable<Stamp> {
  /** The stamp of a version of the log. */
  static Stamp ofLog(long version) {
    return new Stamp(new ForkId(Version.epoch(version), ""), Version.revision(version));
  }

  /**
   * Reads what {@link #toString} returns.
   *
   * @throws IllegalArgumentException if the text is no stamp
   */
  static Stamp parse(String text) {
    int first = text.indexOf('.');
    int last = text.lastIndexOf('.');
    if (first < 0 || first == last) {
      throw new IllegalArgumentException("not a write of a fork: " + text);
    }
    return new Stamp(
        new ForkId(Long.parseLong(text.substring(0, first)), text.substring(first + 1, last)),
        Long.parseLong(text.substring(last + 1)));
  }

  /** The version of an object that was written by this write. */
  public long version() {
    return Version.of(fork.epoch(), revision);
  }

  @Override
  public int compareTo(Stamp other) {
    int byEpoch = Long.compare(fork.epoch(), other.fork.epoch());
    if (byEpoch != 0) {
      return byEpoch;
    }
    int byRevision = Long.compare(revision, other.revision);
    return byRevision != 0 ? byRevision : fork.leader().compareTo(other.fork.leader());
  }

  @Override
  public String toString() {
    return fork + "." + revision;
  }
}
