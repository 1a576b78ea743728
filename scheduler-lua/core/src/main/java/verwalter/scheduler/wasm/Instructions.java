package verwalter.scheduler.wasm;

/**
 * The allowed instructions and their lengths: those of WebAssembly 1.0, sign extension, saturating
 * conversion, bulk memory, multiple results and reference types. Instructions of later standards
 * are refused, since their cost would not be counted.
 */
final class Instructions {
  static final int BLOCK = 0x02;
  static final int LOOP = 0x03;
  static final int IF = 0x04;
  static final int ELSE = 0x05;
  static final int END = 0x0b;
  static final int RETURN = 0x0f;
  static final int CALL = 0x10;
  static final int CALL_INDIRECT = 0x11;
  static final int MEMORY_GROW = 0x40;
  static final int PREFIX = 0xfc;

  private static final int TABLE_GROW = 15;

  /**
   * Skips the bytes after the first byte of an instruction.
   *
   * @return the number after the byte {@link #PREFIX}, else -1
   */
  static int pass(ByteReader code, int opcode) throws InvalidModule {
    switch (opcode) {
      case BLOCK, LOOP, IF, 0x0c, 0x0d, CALL, 0x3f, MEMORY_GROW, 0x41, 0x42, 0xd0, 0xd2 ->
          code.passNumber();
      case CALL_INDIRECT -> code.passNumbers(2);
      case 0x0e -> code.passNumbers(code.number() + 1);
      case 0x1c -> code.passNumbers(code.number());
      case 0x43 -> code.at += Float.BYTES;
      case 0x44 -> code.at += Double.BYTES;
      case PREFIX -> {
        return passPrefixed(code);
      }
      default -> passPlain(code, opcode);
    }
    return -1;
  }

  private static void passPlain(ByteReader code, int opcode) throws InvalidModule {
    if (opcode >= 0x20 && opcode <= 0x26) {
      code.passNumber();
    } else if (opcode >= 0x28 && opcode <= 0x3e) {
      code.passNumbers(2);
    } else if (!(opcode <= 0x01
        || opcode == ELSE
        || opcode == END
        || opcode == RETURN
        || opcode == 0x1a
        || opcode == 0x1b
        || (opcode >= 0x45 && opcode <= 0xc4)
        || opcode == 0xd1)) {
      throw new InvalidModule(
          "it uses an instruction 0x%02x (%s), which is not supported; compile it without"
              .formatted(opcode, standard(opcode)));
    }
  }

  private static int passPrefixed(ByteReader code) throws InvalidModule {
    int second = code.number();
    switch (second) {
      case 0, 1, 2, 3, 4, 5, 6, 7 -> {}
      case 9, 11, 13, 16, 17 -> code.passNumber();
      case 8, 10, 12, 14 -> code.passNumbers(2);
      case TABLE_GROW -> throw new InvalidModule("it uses table.grow, which is not supported");
      default -> throw new InvalidModule("it uses an unknown instruction 0xfc " + second);
    }
    return second;
  }

  /**
   * Whether the topmost operand is the number of bytes or elements that the instruction processes.
   */
  static boolean isBulk(int second) {
    return (second >= 8 && second != 9 && second != 13 && second < 15) || second == 17;
  }

  /**
   * Whether control may continue elsewhere than at the next instruction, or arrive from elsewhere.
   */
  static boolean endsSegment(int opcode) {
    return opcode <= 0x11 && opcode != 0x01;
  }

  /** Whether the instruction only delimits a block. */
  static boolean isFree(int opcode) {
    return opcode == BLOCK || opcode == LOOP || opcode == ELSE || opcode == END || opcode == 0x01;
  }

  private static String standard(int opcode) {
    return switch (opcode) {
      case 0x06, 0x07, 0x08, 0x09, 0x0a, 0x18, 0x19, 0x1f -> "exceptions";
      case 0x12, 0x13, 0x15 -> "tail calls";
      case 0xfb -> "garbage collection";
      case 0xfd -> "vectors";
      case 0xfe -> "threads";
      default -> "of a later standard";
    };
  }

  private Instructions() {}
}
