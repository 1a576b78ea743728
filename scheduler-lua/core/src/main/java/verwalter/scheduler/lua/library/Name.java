package verwalter.scheduler.lua.library;

/**
 * What the source calls a value.
 *
 * @param kind local, upvalue, global, field, method, constant or metamethod
 */
public record Name(String kind, String name) {
  @Override
  public String toString() {
    return kind + " '" + name + "'";
  }
}
