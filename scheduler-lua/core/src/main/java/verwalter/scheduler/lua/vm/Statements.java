package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;

/** The statements that neither assign nor loop. */
final class Statements {
  /** A call whose results are dropped. */
  static final class CallStatement extends Stat {
    private final CallExpression call;

    CallStatement(CallExpression call, int line) {
      super(line);
      this.call = call;
    }

    @Override
    @Nullable Signal exec(Frame f) {
      call.evalAll(f);
      return null;
    }
  }

  /** {@code if}. */
  static final class If extends Stat {
    private final Expr[] conditions;
    private final Block[] blocks;

    If(Expr[] conditions, Block[] blocks, int line) {
      super(line);
      this.conditions = conditions;
      this.blocks = blocks;
    }

    @Override
    @Nullable Signal exec(Frame f) {
      for (int i = 0; i < conditions.length; i++) {
        if (conditions[i].test(f)) {
          return blocks[i].exec(f);
        }
      }
      return blocks.length > conditions.length ? blocks[conditions.length].exec(f) : null;
    }
  }

  /** {@code return} with one value that is not a call. */
  static final class ReturnOne extends Stat {
    private final Expr value;

    ReturnOne(Expr value, int line) {
      super(line);
      this.value = value;
    }

    @Override
    Signal exec(Frame f) {
      f.result = value.eval(f);
      return Signal.RETURN;
    }
  }

  /** {@code return} of a call: a tail call. */
  static final class ReturnCall extends Stat {
    private final CallExpression call;

    ReturnCall(CallExpression call, int line) {
      super(line);
      this.call = call;
    }

    @Override
    Signal exec(Frame f) {
      f.result = call.tail(f);
      return Signal.RETURN;
    }
  }

  /** Any other {@code return}. */
  static final class ReturnMany extends Stat {
    private final Expr[] values;

    ReturnMany(Expr[] values, int line) {
      super(line);
      this.values = values;
    }

    @Override
    Signal exec(Frame f) {
      f.result = Results.of(Expr.list(values, f));
      return Signal.RETURN;
    }
  }

  /** {@code break} or {@code goto}. */
  static final class Jump extends Stat {
    private final Signal signal;

    Jump(Signal signal, int line) {
      super(line);
      this.signal = signal;
    }

    @Override
    Signal exec(Frame f) {
      return signal;
    }
  }

  private Statements() {}
}
