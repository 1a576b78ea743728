package verwalter.e2e;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Processes of this machine from {@code /proc}. */
final class Processes {
  /** The start time of a process in ticks since boot; -1 if it does not exist. */
  static long startOf(long pid) {
    try {
      var stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[19]);
    } catch (IOException gone) {
      return -1;
    }
  }

  static boolean alive(long pid) {
    return startOf(pid) >= 0;
  }

  /** Sends SIGKILL. */
  static void kill(long pid) {
    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
  }

  /**
   * Ends every shim whose command line contains {@code root}, and the sessions of these shims. Only
   * processes of the test contain its temporary directory.
   */
  static void endAllBelow(Path root) {
    ProcessHandle.allProcesses()
        .filter(process -> process.pid() != ProcessHandle.current().pid())
        .filter(process -> commandLine(process.pid()).contains(root.toString()))
        .forEach(
            shim -> {
              shim.descendants().forEach(ProcessHandle::destroyForcibly);
              shim.destroyForcibly();
            });
  }

  /** The process ids of a program whose working directory is below a directory. */
  static List<Long> namesBelow(Path root, String program) {
    return ProcessHandle.allProcesses()
        .map(ProcessHandle::pid)
        .filter(pid -> commandLine(pid).split("\0", -1)[0].endsWith("/" + program))
        .filter(pid -> worksBelow(pid, root))
        .toList();
  }

  private static boolean worksBelow(long pid, Path root) {
    try {
      return Files.readSymbolicLink(Path.of("/proc/" + pid + "/cwd")).startsWith(root);
    } catch (IOException gone) {
      return false;
    }
  }

  private static String commandLine(long pid) {
    try {
      return new String(
          Files.readAllBytes(Path.of("/proc/" + pid + "/cmdline")), StandardCharsets.UTF_8);
    } catch (IOException gone) {
      return "";
    }
  }

  private Processes() {}
}
