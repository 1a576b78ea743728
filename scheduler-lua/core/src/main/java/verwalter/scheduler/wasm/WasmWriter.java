package verwalter.scheduler.wasm;

import java.io.ByteArrayOutputStream;

/** Writes the WebAssembly binary format. */
final class WasmWriter {
  static final int I32 = 0x7f;
  static final int I64 = 0x7e;
  static final int NOTHING = 0x40;

  static final int UNREACHABLE = 0x00;
  static final int IF = 0x04;
  static final int END = 0x0b;
  static final int CALL = 0x10;
  static final int LOCAL_GET = 0x20;
  static final int GLOBAL_GET = 0x23;
  static final int GLOBAL_SET = 0x24;
  static final int MEMORY_SIZE = 0x3f;
  static final int I32_CONST = 0x41;
  static final int I64_CONST = 0x42;
  static final int I32_GT_U = 0x4b;
  static final int I64_LT_S = 0x53;
  static final int I64_GT_U = 0x56;
  static final int I32_ADD = 0x6a;
  static final int I64_ADD = 0x7c;
  static final int I64_SUB = 0x7d;
  static final int I64_SHR_U = 0x88;
  static final int I64_EXTEND_I32_U = 0xad;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  WasmWriter op(int... codes) {
    for (int code : codes) {
      out.write(code);
    }
    return this;
  }

  /** Writes an instruction with an unsigned immediate, or any byte and number. */
  WasmWriter op(int code, int immediate) {
    out.write(code);
    return number(immediate);
  }

  WasmWriter number(int value) {
    int left = value;
    while ((left & ~0x7f) != 0) {
      out.write((left & 0x7f) | 0x80);
      left >>>= 7;
    }
    out.write(left);
    return this;
  }

  WasmWriter constant(int type, long value) {
    out.write(type == I32 ? I32_CONST : I64_CONST);
    long left = value;
    while (true) {
      int low = (int) (left & 0x7f);
      left >>= 7;
      boolean sign = (low & 0x40) != 0;
      if ((left == 0 && !sign) || (left == -1 && sign)) {
        out.write(low);
        return this;
      }
      out.write(low | 0x80);
    }
  }

  WasmWriter bytes(byte[] all, int from, int to) {
    out.write(all, from, to - from);
    return this;
  }

  WasmWriter append(WasmWriter other) {
    out.writeBytes(other.out.toByteArray());
    return this;
  }

  /** Writes another writer's bytes as a section or a function body, after their length. */
  WasmWriter sized(WasmWriter other) {
    return number(other.size()).append(other);
  }

  int size() {
    return out.size();
  }

  void clear() {
    out.reset();
  }

  byte[] toBytes() {
    return out.toByteArray();
  }
}
