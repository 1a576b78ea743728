package verwalter.cluster.sides;

/** A set of numbers of which each is well mixed. */
final class FingerprintSet {
  private long[] table = new long[1 << 16];
  private long size;

  /** Adds a number; returns whether it is new. */
  boolean add(long number) {
    if (2 * size >= table.length) {
      grow();
    }
    return put(table, number == 0 ? 1 : number);
  }

  private boolean put(long[] into, long number) {
    int at = (int) (number >>> 17) & into.length - 1;
    while (into[at] != 0) {
      if (into[at] == number) {
        return false;
      }
      at = at + 1 & into.length - 1;
    }
    into[at] = number;
    size++;
    return true;
  }

  private void grow() {
    var larger = new long[2 * table.length];
    size = 0;
    for (long number : table) {
      if (number != 0) {
        put(larger, number);
      }
    }
    table = larger;
  }

  long size() {
    return size;
  }
}
