package verwalter.controllers.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** The regular files whose readers ask the kernel, and may block, as {@code /proc/kmsg} does. */
final class KernelFiles {
  /** Types of file systems whose files have no size. */
  private static final Set<String> TYPES =
      Set.of("proc", "sysfs", "debugfs", "tracefs", "securityfs", "cgroup", "cgroup2");

  /** Whether the file is one of them; not if it does not exist. */
  static boolean contain(Path file) throws IOException {
    return Files.exists(file)
        && Files.size(file) == 0
        && TYPES.contains(Files.getFileStore(file).type());
  }

  private KernelFiles() {}
}
