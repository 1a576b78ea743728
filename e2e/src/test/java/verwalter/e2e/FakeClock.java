package verwalter.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

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

  private FakeClock() {}
}
