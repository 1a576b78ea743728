package verwalter.scheduler.lua.luaj;

import org.luaj.vm2.LuaError;
import org.luaj.vm2.Varargs;
import org.luaj.vm2.lib.VarArgFunction;
import verwalter.scheduler.lua.text.Format;
import verwalter.scheduler.lua.text.Pattern;

/** A library function. It appears in tracebacks, and its calls count as nested calls. */
final class LuajFunction extends VarArgFunction {
  /** The implementation of a library function. */
  @FunctionalInterface
  interface Body {
    Varargs call(LuajArgs args);
  }

  private final LuajState machine;
  private final String label;
  private final Body body;

  LuajFunction(LuajState machine, String label, Body body) {
    this.machine = machine;
    this.label = label;
    this.body = body;
  }

  @Override
  public Varargs invoke(Varargs args) {
    machine.frames.enter(this);
    try {
      return body.call(new LuajArgs(machine, label, args));
    } catch (LuaError raised) {
      throw raised;
    } catch (Pattern.Malformed | Format.Invalid refused) {
      throw machine.error(String.valueOf(refused.getMessage()));
    } finally {
      machine.frames.onReturn();
    }
  }

  /** Its name in messages and tracebacks. */
  String label() {
    return label;
  }
}
