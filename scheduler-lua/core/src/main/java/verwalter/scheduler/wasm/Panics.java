package verwalter.scheduler.wasm;

import com.dylibso.chicory.runtime.Memory;
import com.dylibso.chicory.runtime.WasmFunctionHandle;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The messages of {@code log_panic} in a run: the first hundred, each truncated. */
final class Panics {
  private static final int MOST = 100;
  private static final int LONGEST = 4_000;

  private final List<String> lines = new ArrayList<>();

  void clear() {
    lines.clear();
  }

  List<String> lines() {
    return List.copyOf(lines);
  }

  WasmFunctionHandle handle() {
    return (instance, arguments) -> {
      if (lines.size() < MOST) {
        var memory = instance.memory();
        lines.add(
            "Scheduler panicked at %s:%s: %s"
                .formatted(
                    text(memory, arguments[2], arguments[3], "<unknown file>"),
                    Integer.toUnsignedString((int) arguments[4]),
                    text(memory, arguments[0], arguments[1], "<non-str payload>")));
      }
      return new long[0];
    };
  }

  private static String text(Memory memory, long address, long length, String absent) {
    long wanted = length & 0xffff_ffffL;
    if (wanted == 0) {
      return absent;
    }
    long from = address & 0xffff_ffffL;
    if (from + wanted > memory.pages() * (long) Memory.PAGE_SIZE) {
      return "<outside of the memory>";
    }
    int shown = (int) Math.min(wanted, LONGEST);
    var text = new String(memory.readBytes((int) from, shown), StandardCharsets.UTF_8);
    return shown == wanted ? text : text + "...";
  }
}
