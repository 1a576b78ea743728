package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.library.Name;

/** A call of a method. */
final class MethodCall extends CallExpression {
  private final Expr object;
  private final String method;

  MethodCall(Expr object, String method, Expr[] arguments, int line) {
    super(arguments, line);
    this.object = object;
    this.method = method;
  }

  @Override
  boolean hasSelf() {
    return true;
  }

  @Override
  @Nullable Object evalAll(Frame f) {
    var self = object.eval(f);
    return call(f, function(f, self), self);
  }

  @Override
  @Nullable Object tail(Frame f) {
    var self = object.eval(f);
    return tail(f, function(f, self), self);
  }

  private @Nullable Object function(Frame f, @Nullable Object self) {
    if (self instanceof Table table) {
      var found = table.get(method);
      if (found != null) {
        return found;
      }
    }
    f.at = this;
    return f.machine.operations.index(self, method, object.name());
  }

  @Override
  Name calledName() {
    return new Name("method", method);
  }
}
