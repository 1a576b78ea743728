package verwalter.scheduler.lua.library;

/**
 * The name of a value in the source.
 *
 * @param kind local, upvalue, global, field, method, constant or metamethod
 */
public record Name(String kind, String name) {
  @Override
  public String toString() {
    return kind + " '" + name + "'";
  }
}
