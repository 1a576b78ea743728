package verwalter.artifacts;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Makes tar archives byte by byte, also those that no program would make. */
final class TarBytes {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** A header and content; the size in the header is the one given. */
  TarBytes entry(char type, String name, String target, long size, byte[] content) {
    return entry(type, name, target, size, content, 0644);
  }

  TarBytes entry(char type, String name, String target, long size, byte[] content, int mode) {
    var block = new byte[512];
    put(block, 0, name);
    put(block, 100, "%07o".formatted(mode));
    put(block, 108, "0000000");
    put(block, 116, "0000000");
    put(block, 124, "%011o".formatted(size));
    put(block, 136, "%011o".formatted(1_000_000_000L));
    block[156] = (byte) type;
    put(block, 157, target);
    put(block, 257, "ustar\0" + "00");
    return block(checked(block)).content(content);
  }

  static byte[] checked(byte[] block) {
    put(block, 148, "        ");
    int sum = 0;
    for (byte it : block) {
      sum += it & 0xff;
    }
    put(block, 148, "%06o\0 ".formatted(sum));
    return block;
  }

  static void put(byte[] block, int at, String text) {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(bytes, 0, block, at, bytes.length);
  }

  TarBytes block(byte[] block) {
    out.writeBytes(block);
    return this;
  }

  private TarBytes content(byte[] content) {
    out.writeBytes(content);
    out.writeBytes(new byte[-content.length & 511]);
    return this;
  }

  TarBytes file(String name, String text) {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    return entry('0', name, "", bytes.length, bytes);
  }

  TarBytes directory(String name) {
    return entry('5', name, "", 0, new byte[0], 0755);
  }

  TarBytes link(String name, String target) {
    return entry('2', name, target, 0, new byte[0]);
  }

  TarBytes hardLink(String name, String target) {
    return entry('1', name, target, 0, new byte[0]);
  }

  TarBytes extended(String... records) {
    var all = new StringBuilder();
    for (var it : records) {
      int length = it.length() + 3;
      while (("" + length).length() + it.length() + 2 != length) {
        length++;
      }
      all.append(length).append(' ').append(it).append('\n');
    }
    var bytes = all.toString().getBytes(StandardCharsets.UTF_8);
    return entry('x', "pax", "", bytes.length, bytes);
  }

  byte[] bytes() {
    var end = new ByteArrayOutputStream();
    end.writeBytes(out.toByteArray());
    end.writeBytes(new byte[1024]);
    return end.toByteArray();
  }

  byte[] withoutEnd() {
    return out.toByteArray();
  }
}
