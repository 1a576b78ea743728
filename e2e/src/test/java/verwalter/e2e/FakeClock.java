package verwalter.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The library libfaketime, which gives a program another clock. */
final class FakeClock {
  /** The library; a test fails if it is not installed. */
  static Path library() throws IOException {
    try (var found =
        Files.find(
            Path.of("/usr/lib"), 3, (path, its) -> path.endsWith("faketime/libfaketimeMT.so.1"))) {
      return found.findFirst().orElseThrow(() -> new AssertionError("apt-get install faketime"));
    }
  }

  /** The environment of a program whose clock differs by a time such as {@code +1d}. */
  static Map<String, String> shifted(String time) throws IOException {
    return Map.of(
        "LD_PRELOAD",
        library().toString(),
        "FAKETIME",
        time,
        "FAKETIME_DONT_FAKE_MONOTONIC",
        "1",
        "NO_FAKE_STAT",
        "1");
  }

  private FakeClock() {}
}
