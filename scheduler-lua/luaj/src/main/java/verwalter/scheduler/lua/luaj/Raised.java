package verwalter.scheduler.lua.luaj;

import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaValue;

/** An error whose value is final: luaj adds no position and no traceback to it. */
final class Raised extends LuaError {
  private static final long serialVersionUID = 1;
  private final transient LuaValue value;

  Raised(LuaValue value) {
    super("raised");
    this.traceback = "raised"; // luaj does not change an error that has one
    this.value = value;
  }

  @Override
  public LuaValue getMessageObject() {
    return value;
  }

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
