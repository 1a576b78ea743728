package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.library.Name;

/**
 * Several operands joined by {@code ..}, which is right associative. If all are strings or numbers,
 * they are joined at once.
 */
final class Concat extends Expr {
  private final Expr[] parts;

  Concat(Expr[] parts, int line) {
    super(line);
    this.parts = parts;
  }

  @Override
  Name calledName() {
    return new Name("metamethod", "__concat");
  }

  @Override
  @Nullable Object eval(Frame f) {
    var values = new @Nullable Object[parts.length];
    long length = 0;
    boolean texts = true;
    for (int i = 0; i < parts.length; i++) {
      var value = parts[i].eval(f);
      values[i] = value;
      if (value instanceof String text) {
        length += text.length();
      } else if (value instanceof Number) {
        length += Operations.text(value).length();
      } else {
        texts = false;
      }
    }
    f.at = this;
    return texts ? joined(values, length, f) : oneByOne(values, f);
  }

  private static String joined(@Nullable Object[] values, long length, Frame f) {
    f.machine.reserve(length);
    if (values.length == 2) {
      return text(values[0]).concat(text(values[1]));
    }
    var text = new StringBuilder((int) length);
    for (var value : values) {
      text.append(text(value));
    }
    return text.toString();
  }

  private static String text(@Nullable Object value) {
    return value == null ? "" : Operations.text(value);
  }

  private @Nullable Object oneByOne(@Nullable Object[] values, Frame f) {
    int last = values.length - 1;
    var right = values[last];
    for (int i = last - 1; i >= 0; i--) {
      var name = i == last - 1 ? parts[last].name() : null;
      right = f.machine.operations.concat(values[i], right, parts[i].name(), name);
    }
    return right;
  }
}
