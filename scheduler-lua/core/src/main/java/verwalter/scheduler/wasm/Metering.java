package verwalter.scheduler.wasm;

import static verwalter.scheduler.wasm.WasmWriter.CALL;
import static verwalter.scheduler.wasm.WasmWriter.END;
import static verwalter.scheduler.wasm.WasmWriter.GLOBAL_GET;
import static verwalter.scheduler.wasm.WasmWriter.GLOBAL_SET;
import static verwalter.scheduler.wasm.WasmWriter.I32;
import static verwalter.scheduler.wasm.WasmWriter.I32_ADD;
import static verwalter.scheduler.wasm.WasmWriter.I32_GT_U;
import static verwalter.scheduler.wasm.WasmWriter.I64;
import static verwalter.scheduler.wasm.WasmWriter.I64_ADD;
import static verwalter.scheduler.wasm.WasmWriter.I64_EXTEND_I32_U;
import static verwalter.scheduler.wasm.WasmWriter.I64_GT_U;
import static verwalter.scheduler.wasm.WasmWriter.I64_LT_S;
import static verwalter.scheduler.wasm.WasmWriter.I64_SHR_U;
import static verwalter.scheduler.wasm.WasmWriter.I64_SUB;
import static verwalter.scheduler.wasm.WasmWriter.IF;
import static verwalter.scheduler.wasm.WasmWriter.LOCAL_GET;
import static verwalter.scheduler.wasm.WasmWriter.MEMORY_SIZE;
import static verwalter.scheduler.wasm.WasmWriter.NOTHING;
import static verwalter.scheduler.wasm.WasmWriter.UNREACHABLE;

/**
 * Instruments a valid module so that it counts the resources it uses and traps when it exceeds a
 * limit. Three globals and two functions are appended to its own. Since the module counts itself,
 * the numbers are exact, the same on every machine, and cheap once compiled.
 *
 * <p>The cost of each basic block is subtracted from the global {@link #fuel} at its start;
 * functions and loops trap when it is negative. Calls are counted in {@link #depth}. Instructions
 * that process n bytes cost n / 8 more. Before a trap, {@link #reason} is set to the exceeded
 * limit.
 */
final class Metering {
  static final int INSTRUCTIONS = 1;
  static final int CALLS = 2;
  static final int MEMORY = 3;

  private static final int TYPE = 1;
  private static final int FUNCTION = 3;
  private static final int GLOBAL = 6;
  private static final int CODE = 10;

  /** The maximum number; more need stack that no budget counts. */
  private static final int MOST_LOCALS = 2_000;

  private static final int HEADER = 8;

  private final Limits limits;
  private final Shape shape;

  /**
   * The limits of the code.
   *
   * @param instructions in one run
   * @param calls nested calls
   * @param pages of memory
   */
  record Limits(long instructions, int calls, int pages) {}

  /**
   * The numbers of items in the module, which are the indexes of the next ones.
   *
   * @param imports imported functions, which count as functions
   */
  record Shape(int types, int imports, int functions, int globals) {}

  Metering(Limits limits, Shape shape) {
    this.limits = limits;
    this.shape = shape;
  }

  /** The index of the global with the remaining instructions. */
  int fuel() {
    return shape.globals();
  }

  /** The index of the global with the depth of calls. */
  int depth() {
    return shape.globals() + 1;
  }

  /** The index of the global with the reason of a trap; 0 if no limit was exceeded. */
  int reason() {
    return shape.globals() + 2;
  }

  private int charge() {
    return shape.functions();
  }

  private int checkGrowth() {
    return shape.functions() + 1;
  }

  /** The instrumented module without its custom sections. */
  byte[] rewrite(byte[] module) throws InvalidModule {
    var in = new ByteReader(module, HEADER);
    var out = new WasmWriter().bytes(module, 0, HEADER);
    boolean globalsDone = false;
    while (in.at < module.length) {
      int id = in.next();
      int size = in.number();
      int end = in.at + size;
      if (!globalsDone && (id == GLOBAL || (id > GLOBAL && id != 13))) {
        globalsDone = true;
        boolean own = id == GLOBAL;
        var globals =
            extended(own ? in : new ByteReader(new byte[] {0}, 0), own ? end : 1, globals(), 3);
        out.op(GLOBAL).sized(globals);
        if (own) {
          in.at = end;
          continue;
        }
      }
      switch (id) {
        case 0 -> {}
        case TYPE ->
            out.op(id).sized(extended(in, end, new WasmWriter().op(0x60, 1, I32, 1, I32), 1));
        case FUNCTION ->
            out.op(id)
                .sized(
                    extended(
                        in, end, new WasmWriter().number(shape.types()).number(shape.types()), 2));
        case CODE -> out.op(id).sized(bodies(in));
        default -> out.op(id).number(size).bytes(module, in.at, end);
      }
      in.at = end;
    }
    return out.toBytes();
  }

  /** A list with appended items. */
  private static WasmWriter extended(ByteReader in, int end, WasmWriter more, int count) {
    int before = in.number();
    return new WasmWriter().number(before + count).bytes(in.all, in.at, end).append(more);
  }

  private WasmWriter globals() {
    return new WasmWriter()
        .op(I64, 1)
        .constant(I64, limits.instructions())
        .op(END)
        .op(I32, 1)
        .constant(I32, 0)
        .op(END)
        .op(I32, 1)
        .constant(I32, 0)
        .op(END);
  }

  private WasmWriter bodies(ByteReader in) throws InvalidModule {
    int count = in.number();
    var out = new WasmWriter().number(count + 2);
    for (int i = 0; i < count; i++) {
      int size = in.number();
      out.sized(body(in, in.at + size));
    }
    return out.sized(chargeBody()).sized(growthBody());
  }

  private WasmWriter body(ByteReader in, int end) throws InvalidModule {
    int from = in.at;
    passLocals(in);
    var out = new WasmWriter().bytes(in.all, from, in.at);
    out.op(GLOBAL_GET, depth()).constant(I32, limits.calls()).op(I32_GT_U);
    trap(out, CALLS);
    var stretch = new WasmWriter();
    long cost = 1;
    boolean checked = true;
    while (in.at < end) {
      int start = in.at;
      int opcode = in.next();
      int second = Instructions.pass(in, opcode);
      cost += Instructions.isFree(opcode) ? 0 : 1;
      boolean counted = isOwn(in, opcode, start);
      if (counted) {
        step(stretch, 1);
      } else if (opcode == Instructions.MEMORY_GROW) {
        stretch.op(CALL, checkGrowth());
      } else if (Instructions.isBulk(second)) {
        stretch.op(CALL, charge());
      }
      stretch.bytes(in.all, start, in.at);
      if (counted) {
        step(stretch, -1);
      }
      if (Instructions.endsSegment(opcode)) {
        spend(out, cost, checked);
        out.append(stretch);
        stretch.clear();
        cost = 0;
        checked = opcode == Instructions.LOOP;
      }
    }
    return out;
  }

  /** Whether the instruction may call a function of the module. */
  private boolean isOwn(ByteReader in, int opcode, int start) {
    return opcode == Instructions.CALL_INDIRECT
        || (opcode == Instructions.CALL
            && new ByteReader(in.all, start + 1).number() >= shape.imports());
  }

  private static void passLocals(ByteReader in) throws InvalidModule {
    long locals = 0;
    for (int groups = in.number(); groups > 0; groups--) {
      locals += Integer.toUnsignedLong(in.number());
      in.passNumber();
    }
    if (locals > MOST_LOCALS) {
      throw new InvalidModule(
          "one of its functions has %d local variables, more than %d"
              .formatted(locals, MOST_LOCALS));
    }
  }

  private void step(WasmWriter out, int by) {
    out.op(GLOBAL_GET, depth()).constant(I32, by).op(I32_ADD).op(GLOBAL_SET, depth());
  }

  private void spend(WasmWriter out, long cost, boolean checked) {
    if (cost > 0) {
      out.op(GLOBAL_GET, fuel()).constant(I64, cost).op(I64_SUB).op(GLOBAL_SET, fuel());
    }
    if (checked) {
      out.op(GLOBAL_GET, fuel()).constant(I64, 0).op(I64_LT_S);
      trap(out, INSTRUCTIONS);
    }
  }

  /** Traps if the topmost operand is not 0. */
  private void trap(WasmWriter out, int why) {
    out.op(IF, NOTHING);
    out.constant(I32, why).op(GLOBAL_SET, reason()).op(UNREACHABLE).op(END);
  }

  /** {@code charge(n)}: subtracts n / 8 instructions; returns n. */
  private WasmWriter chargeBody() {
    var out = new WasmWriter().number(0);
    out.op(GLOBAL_GET, fuel()).op(LOCAL_GET, 0).op(I64_EXTEND_I32_U);
    out.constant(I64, 3).op(I64_SHR_U).op(I64_SUB).op(GLOBAL_SET, fuel());
    spend(out, 0, true);
    return out.op(LOCAL_GET, 0).op(END);
  }

  /** {@code checkGrowth(n)}: traps if n more pages exceed the limit; returns n. */
  private WasmWriter growthBody() {
    var out = new WasmWriter().number(0);
    out.op(LOCAL_GET, 0).op(I64_EXTEND_I32_U);
    out.op(MEMORY_SIZE, 0).op(I64_EXTEND_I32_U).op(I64_ADD);
    out.constant(I64, limits.pages()).op(I64_GT_U);
    trap(out, MEMORY);
    return out.op(LOCAL_GET, 0).op(END);
  }
}
