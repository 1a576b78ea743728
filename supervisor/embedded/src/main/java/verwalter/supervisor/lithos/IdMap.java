package verwalter.supervisor.lithos;

/** A range of user or group ids inside a container, and its mapping outside. */
record IdMap(long inside, long outside, long count) {
  private static final long MOST = 0xffff_ffffL;

  static IdMap read(Value value) {
    var struct = value.struct();
    var map =
        new IdMap(
            struct.number("inside", 0, 0, MOST),
            struct.number("outside", 0, 0, MOST),
            struct.number("count", 0, 0, MOST));
    struct.end();
    return map;
  }
}
