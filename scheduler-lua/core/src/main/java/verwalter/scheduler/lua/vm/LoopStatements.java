package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;

/** The loops, except {@code for}. Each iteration is an instruction. */
final class LoopStatements {
  /** {@code while}. */
  static final class While extends Stat {
    private final Expr condition;
    private final Block body;

    While(Expr condition, Block body, int line) {
      super(line);
      this.condition = condition;
      this.body = body;
    }

    @Override
    @Nullable Signal exec(Frame f) {
      while (condition.test(f)) {
        f.at = this;
        f.machine.meter.tick();
        var signal = body.exec(f);
        if (signal != null) {
          return signal == Signal.BREAK ? null : signal;
        }
      }
      return null;
    }
  }

  /** {@code repeat}; the condition has access to the locals of the body. */
  static final class Repeat extends Stat {
    private final Block body;
    private final Expr condition;

    Repeat(Block body, Expr condition, int line) {
      super(line);
      this.body = body;
      this.condition = condition;
    }

    @Override
    @Nullable Signal exec(Frame f) {
      do {
        f.at = this;
        f.machine.meter.tick();
        var signal = body.exec(f);
        if (signal != null) {
          return signal == Signal.BREAK ? null : signal;
        }
      } while (!condition.test(f));
      return null;
    }
  }

  private LoopStatements() {}
}
