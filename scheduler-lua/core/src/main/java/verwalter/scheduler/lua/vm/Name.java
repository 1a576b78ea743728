package verwalter.scheduler.lua.vm;

/**
 * What the source calls a value.
 *
 * @param kind local, upvalue, global, field, method, constant or metamethod
 */
record Name(String kind, String name) {
  @Override
  public String toString() {
    return kind + " '" + name + "'";
  }
}
