package verwalter.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes the files that a demo keeps beside its copy of the example. */
final class DemoFile {
  /** Replaces a file in one step, so that a reader never sees half of it. */
  static void replace(Path file, String text) throws IOException {
    var next = file.resolveSibling("." + file.getFileName() + ".next");
    Files.writeString(next, text);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private DemoFile() {}
}
