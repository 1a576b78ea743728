package verwalter.scheduler.lua.syntax;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Resolves names: functions, blocks, locals, labels. */
final class Scopes {
  /** One function being parsed. */
  private static final class Function {
    final int number;
    final @Nullable Function outer;
    final boolean variadic;
    final int line;
    @Nullable Block block;

    Function(int number, @Nullable Function outer, boolean variadic, int line) {
      this.number = number;
      this.outer = outer;
      this.variadic = variadic;
      this.line = line;
    }
  }

  /** One block being parsed. */
  private static final class Block {
    final @Nullable Block outer;
    final boolean loop;
    final List<Local> locals = new ArrayList<>();
    final Map<String, Place> labels = new HashMap<>();
    final List<Jump> jumps = new ArrayList<>();

    Block(@Nullable Block outer, boolean loop) {
      this.outer = outer;
      this.loop = loop;
    }
  }

  /** A label: its position, and the number of visible locals of its block. */
  private record Place(int line, int locals) {}

  /** A goto whose label is not found yet: its position, and the number of visible locals. */
  private record Jump(String label, int line, int locals) {}

  private @Nullable Function function;
  private int functions;

  int openFunction(boolean variadic, int line) {
    function = new Function(functions++, function, variadic, line);
    openBlock(false);
    return function.number;
  }

  void closeFunction() throws Problem {
    closeBlock();
    function = function().outer;
  }

  void openBlock(boolean loop) {
    function().block = new Block(function().block, loop);
  }

  void closeBlock() throws Problem {
    var block = block();
    var outer = block.outer;
    for (var jump : block.jumps) {
      var place = block.labels.get(jump.label);
      if (place == null) {
        if (outer == null) {
          throw new Problem(
              "no visible label '" + jump.label + "' for <goto> at line " + jump.line);
        }
        outer.jumps.add(new Jump(jump.label, jump.line, outer.locals.size()));
      } else if (place.locals > jump.locals) {
        throw new Problem(
            "<goto "
                + jump.label
                + "> at line "
                + jump.line
                + " jumps into the scope of local '"
                + block.locals.get(jump.locals).name()
                + "'");
      }
    }
    function().block = outer;
  }

  Local declare(String name) {
    var local = new Local(name, function().number);
    block().locals.add(local);
    return local;
  }

  /** A local that is not visible until it is {@link #show}n. */
  Local hidden(String name) {
    return new Local(name, function().number);
  }

  void show(Local local) {
    block().locals.add(local);
  }

  @Nullable Local find(String name) {
    for (var f = function; f != null; f = f.outer) {
      for (var b = f.block; b != null; b = b.outer) {
        for (int i = b.locals.size() - 1; i >= 0; i--) {
          var local = b.locals.get(i);
          if (local.name().equals(name)) {
            if (f != function) {
              local.capture();
            }
            return local;
          }
        }
      }
    }
    return null;
  }

  boolean variadic() {
    return function().variadic;
  }

  boolean inLoop() {
    for (var b = function().block; b != null; b = b.outer) {
      if (b.loop) {
        return true;
      }
    }
    return false;
  }

  void jump(String label, int line) {
    block().jumps.add(new Jump(label, line, block().locals.size()));
  }

  /** A label. */
  void label(String name, int line) throws Problem {
    var known = block().labels.get(name);
    if (known != null) {
      throw new Problem("label '" + name + "' already defined on line " + known.line);
    }
    block().labels.put(name, new Place(line, block().locals.size()));
  }

  /** The label is last in its block, so it is outside of the scope of every local of the block. */
  void isLast(String label) {
    block().labels.computeIfPresent(label, (name, place) -> new Place(place.line, 0));
  }

  /** The number of visible locals of the function. */
  int locals() {
    int count = function().outer == null ? -1 : 0; // the environment is not a local of a chunk
    for (var b = function().block; b != null; b = b.outer) {
      count += b.locals.size();
    }
    return count;
  }

  /** The name of the current function in messages. */
  String place() {
    var f = function();
    return f.outer == null ? "main function" : "function at line " + f.line;
  }

  private Function function() {
    if (function == null) {
      throw new IllegalStateException("no function is open");
    }
    return function;
  }

  private Block block() {
    var block = function().block;
    if (block == null) {
      throw new IllegalStateException("no block is open");
    }
    return block;
  }

  /** Reports invalid use of a name. */
  static final class Problem extends Exception {
    private static final long serialVersionUID = 1;

    Problem(String message) {
      super(message, null, false, false);
    }
  }
}
