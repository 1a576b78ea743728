package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;

/** A format of {@code string.pack}, parsed item by item. Sizes are those of C on x86-64. */
final class PackLayout {
  private static final int LARGEST = 16;
  private static final int NATIVE_ALIGNMENT = 8;

  /** The type of an item. */
  enum Kind {
    SIGNED,
    UNSIGNED,
    FLOAT,
    FIXED,
    COUNTED,
    TERMINATED,
    PADDING
  }

  /**
   * One item.
   *
   * @param size in bytes, or the size of the length before a string
   * @param padding bytes before it
   */
  record Item(Kind kind, int size, int padding, boolean little) {}

  private final Args args;
  private final String format;
  private int at;
  private boolean little = true;
  private int alignment = 1;

  PackLayout(Args args) {
    this.args = args;
    this.format = args.text(1);
  }

  /** The item after some bytes, or null at the end. */
  @Nullable Item next(int offset) {
    while (at < format.length()) {
      args.machine.meter.tick();
      char option = format.charAt(at++);
      switch (option) {
        case ' ' -> {}
        case '<', '=' -> little = true;
        case '>' -> little = false;
        case '!' -> alignment = number(NATIVE_ALIGNMENT);
        case 'x' -> {
          return new Item(Kind.PADDING, 1, 0, little);
        }
        case 'X' -> {
          return new Item(Kind.PADDING, 0, padding(offset, alignmentOfNext()), little);
        }
        default -> {
          return item(option, offset);
        }
      }
    }
    return null;
  }

  private Item item(char option, int offset) {
    var kind = kind(option);
    int size = size(option);
    boolean aligned = kind != Kind.FIXED && kind != Kind.TERMINATED;
    return new Item(kind, size, aligned ? padding(offset, size) : 0, little);
  }

  private Kind kind(char option) {
    return switch (option) {
      case 'b', 'h', 'i', 'l', 'j' -> Kind.SIGNED;
      case 'B', 'H', 'I', 'L', 'J', 'T' -> Kind.UNSIGNED;
      case 'f', 'd', 'n' -> Kind.FLOAT;
      case 's' -> Kind.COUNTED;
      case 'c' -> Kind.FIXED;
      case 'z' -> Kind.TERMINATED;
      default -> throw args.machine.error("invalid format option '" + option + "'");
    };
  }

  private int size(char option) {
    return switch (option) {
      case 'b', 'B' -> 1;
      case 'h', 'H' -> 2;
      case 'f' -> 4;
      case 'i', 'I' -> number(4);
      case 's' -> number(8);
      case 'c' -> count();
      case 'z' -> 0;
      default -> 8;
    };
  }

  private int padding(int offset, int size) {
    int wanted = Math.min(size, alignment);
    if (wanted <= 1) {
      return 0;
    }
    if (Integer.bitCount(wanted) != 1) {
      throw args.bad(1, "format asks for alignment not power of 2");
    }
    return -offset & (wanted - 1);
  }

  private int alignmentOfNext() {
    if (at < format.length()) {
      char option = format.charAt(at++);
      if ("bBhHiIlLjJTfdns".indexOf(option) >= 0) {
        return size(option);
      }
    }
    throw args.bad(1, "invalid next option for option 'X'");
  }

  private int number(int otherwise) {
    long number = digits();
    if (number < 0) {
      return otherwise;
    }
    if (number < 1 || number > LARGEST) {
      throw args.machine.error("integral size (" + number + ") out of limits [1,16]");
    }
    return (int) number;
  }

  private int count() {
    long number = digits();
    if (number < 0) {
      throw args.machine.error("missing size for format option 'c'");
    }
    return (int) number;
  }

  private long digits() {
    long number = -1;
    while (at < format.length() && Character.isDigit(format.charAt(at)) && number < 1 << 27) {
      number = Math.max(number, 0) * 10 + format.charAt(at++) - '0';
    }
    return number;
  }
}
