package verwalter.scheduler.lua.vm;

import java.util.ArrayList;
import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.text.Utf8;

/**
 * {@code string.pack}, {@code string.packsize} and {@code string.unpack} (Lua 5.3 manual, 6.4.2).
 */
final class PackLibrary {
  private static final int LONGEST_INTEGER = 8;

  private final VmState machine;

  private PackLibrary(VmState machine) {
    this.machine = machine;
  }

  static void install(VmState machine) {
    var library = new PackLibrary(machine);
    library.add("pack", library::pack);
    library.add("packsize", library::size);
    library.add("unpack", library::unpack);
  }

  private void add(String name, Native.Body body) {
    machine.strings.set(name, machine.function("string." + name, body));
  }

  private Object pack(Args args) {
    var layout = new PackLayout(args);
    var packed = new StringBuilder();
    var values = args.marked();
    int argument = 1;
    for (var item = layout.next(0); item != null; item = layout.next(packed.length())) {
      machine.reserve((long) packed.length() + item.padding() + item.size());
      packed.append("\0".repeat(item.padding()));
      if (item.kind() != PackLayout.Kind.PADDING) {
        argument++;
        pack(values, argument, item, packed);
      } else if (item.size() > 0) {
        packed.append('\0');
      }
    }
    return packed.toString();
  }

  private void pack(Args args, int argument, PackLayout.Item item, StringBuilder packed) {
    int size = item.size();
    switch (item.kind()) {
      case SIGNED -> {
        long value = args.integer(argument);
        long limit = size < LONGEST_INTEGER ? 1L << (size * 8 - 1) : 0;
        if (limit != 0 && (value < -limit || value >= limit)) {
          throw args.bad(argument, "integer overflow");
        }
        integer(value, item, packed);
      }
      case UNSIGNED -> {
        long value = args.integer(argument);
        if (size < LONGEST_INTEGER && Long.compareUnsigned(value, 1L << (size * 8)) >= 0) {
          throw args.bad(argument, "unsigned overflow");
        }
        integer(value, item, packed);
      }
      case FLOAT -> {
        double value = args.real(argument);
        integer(
            size == Float.BYTES
                ? Float.floatToRawIntBits((float) value)
                : Double.doubleToRawLongBits(value),
            item,
            packed);
      }
      default -> string(args, argument, item, packed);
    }
  }

  private void string(Args args, int argument, PackLayout.Item item, StringBuilder packed) {
    var text = args.text(argument);
    int size = item.size();
    machine.reserve((long) packed.length() + text.length() + size);
    if (item.kind() == PackLayout.Kind.COUNTED) {
      if (size < Integer.BYTES && text.length() >= 1L << (size * 8)) {
        throw args.bad(argument, "string length does not fit in given size");
      }
      integer(text.length(), item, packed);
      packed.append(text);
    } else if (item.kind() == PackLayout.Kind.TERMINATED) {
      if (text.indexOf('\0') >= 0) {
        throw args.bad(argument, "string contains zeros");
      }
      packed.append(text).append('\0');
    } else {
      if (text.length() > size) {
        throw args.bad(argument, "string longer than given size");
      }
      packed.append(text).append("\0".repeat(size - text.length()));
    }
  }

  private static void integer(long value, PackLayout.Item item, StringBuilder packed) {
    for (int i = 0; i < item.size(); i++) {
      int place = item.little() ? i : item.size() - 1 - i;
      packed.append((char) ((place < LONGEST_INTEGER ? value >> (place * 8) : value >> 63) & 0xff));
    }
  }

  private Object size(Args args) {
    var layout = new PackLayout(args);
    long total = 0;
    for (var item = layout.next(0); item != null; item = layout.next((int) total)) {
      if (item.kind() == PackLayout.Kind.COUNTED || item.kind() == PackLayout.Kind.TERMINATED) {
        throw args.bad(1, "variable-length format");
      }
      total += item.padding() + item.size();
      if (total > Integer.MAX_VALUE) {
        throw args.bad(1, "format result too large");
      }
    }
    return total;
  }

  private @Nullable Object unpack(Args args) {
    var layout = new PackLayout(args);
    var data = args.text(2);
    long start = Utf8.place(args.integer(3, 1), data.length()) - 1;
    if (start < 0 || start > data.length()) {
      throw args.bad(3, "initial position out of string");
    }
    int at = (int) start;
    var values = new ArrayList<@Nullable Object>();
    for (var item = layout.next(at); item != null; item = layout.next(at)) {
      if ((long) item.padding() + item.size() > data.length() - at) {
        throw args.bad(2, "data string too short");
      }
      at += item.padding();
      machine.reserve(item.size());
      switch (item.kind()) {
        case SIGNED, UNSIGNED -> values.add(integer(data, at, item));
        case FLOAT -> values.add(real(integer(data, at, item), item.size()));
        case FIXED -> values.add(data.substring(at, at + item.size()));
        case COUNTED -> {
          long length = integer(data, at, item);
          if (length < 0 || length > data.length() - at - item.size()) {
            throw args.bad(2, "data string too short");
          }
          values.add(data.substring(at + item.size(), at + item.size() + (int) length));
          at += (int) length;
        }
        case TERMINATED -> {
          int zero = data.indexOf('\0', at);
          int end =
              zero < 0 ? data.length() : zero; // PUC Lua finds the zero byte after every string
          values.add(data.substring(at, end));
          at = end + 1;
        }
        default -> {}
      }
      at += item.size();
    }
    values.add(at + 1L);
    return Results.of(values.toArray());
  }

  private static Object real(long bits, int size) {
    return size == Float.BYTES
        ? (double) Float.intBitsToFloat((int) bits)
        : Double.longBitsToDouble(bits);
  }

  private long integer(String data, int at, PackLayout.Item item) {
    int size = item.size();
    long value = 0;
    for (int i = Math.min(size, LONGEST_INTEGER) - 1; i >= 0; i--) {
      value = value << 8 | data.charAt(item.little() ? at + i : at + size - 1 - i);
    }
    boolean signed = item.kind() == PackLayout.Kind.SIGNED;
    if (size < LONGEST_INTEGER) {
      int unused = Long.SIZE - size * 8;
      return signed ? value << unused >> unused : value;
    }
    int filler = signed && value < 0 ? 0xff : 0;
    for (int i = LONGEST_INTEGER; i < size; i++) {
      if (data.charAt(item.little() ? at + i : at + size - 1 - i) != filler) {
        throw machine.error(size + "-byte integer does not fit into Lua Integer");
      }
    }
    return value;
  }
}
