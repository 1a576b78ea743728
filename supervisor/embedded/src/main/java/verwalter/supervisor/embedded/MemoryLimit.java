package verwalter.supervisor.embedded;

import java.util.Optional;
import verwalter.model.ProcessGroup.Exit;

/** What is said about a run that reached its limit of memory. */
final class MemoryLimit {
  private static final int SIGKILL = 9;
  private static final long MEGABYTE = 1_000_000;

  /**
   * The words to add to those about the exit; empty if the limit had no part in it.
   *
   * @param ended the number of its processes that the kernel ended because of the limit
   */
  static String words(Run run, Exit exit, long ended) {
    if (ended == 0) {
      return "";
    }
    var limit =
        run.confinement()
            .memory()
            .map(bytes -> "by the memory limit of " + text(bytes))
            .orElse("because memory was short");
    return exit.signal().equals(Optional.of(SIGKILL))
        ? "; ended " + limit
        : "; one of its processes was ended " + limit;
  }

  private static String text(long bytes) {
    return bytes % MEGABYTE == 0 ? bytes / MEGABYTE + " MB" : bytes + " bytes";
  }

  private MemoryLimit() {}
}
