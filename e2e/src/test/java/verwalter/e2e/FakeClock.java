package verwalter.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The library libfaketime, which gives a program another clock. */
final class FakeClock {
  /** The library; a test fails if it is not installed. */
  private static Path library() throws IOException {
    try (var found =
        Files.find(
            Path.of("/usr/lib"), 3, (path, its) -> path.endsWith("faketime/libfaketimeMT.so.1"))) {
      return found.findFirst().orElseThrow(() -> new AssertionError("apt-get install faketime"));
    }
  }

  /** The environment of a program whose clock differs by a time such as {@code +1d}. */
  static Map<String, String> shifted(String time) throws IOException {
    return environment("FAKETIME", time);
  }

  /** The environment of a program whose clock differs by the time that a file contains. */
  static Map<String, String> shiftedAsIn(Path file) throws IOException {
    var environment = new HashMap<>(environment("FAKETIME_TIMESTAMP_FILE", file.toString()));
    environment.put("FAKETIME_CACHE_DURATION", "1");
    return environment;
  }

  /**
   * The monotonic clock stays as it is. With the library's own way to wait for it, which is its
   * default, a JVM would never sleep.
   */
  private static Map<String, String> environment(String name, String value) throws IOException {
    return Map.of(
        "LD_PRELOAD",
        library().toString(),
        name,
        value,
        "FAKETIME_DONT_FAKE_MONOTONIC",
        "1",
        "FAKETIME_FORCE_MONOTONIC_FIX",
        "0",
        "NO_FAKE_STAT",
        "1");
  }

  private FakeClock() {}
}
