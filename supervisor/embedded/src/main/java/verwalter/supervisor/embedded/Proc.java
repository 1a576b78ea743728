package verwalter.supervisor.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The kernel's list of processes. */
final class Proc {
  private static final Logger LOG = LoggerFactory.getLogger(Proc.class);
  private static final Path ROOT = Path.of("/proc");

  /** The fields of a stat file that matter here. */
  record Stat(ProcessId id, char state, long session) {
    /** A zombie has ended; its parent just has not asked yet. */
    boolean isAlive() {
      return state != 'Z' && state != 'X';
    }
  }

  static Optional<Stat> stat(long pid) {
    return text(ROOT.resolve(pid + "/stat")).flatMap(Proc::parse);
  }

  /** A stat file's line; the name in it may hold anything, even brackets. */
  static Optional<Stat> parse(String line) {
    int open = line.indexOf(" (");
    int close = line.lastIndexOf(") ");
    if (open < 1 || close < open) {
      return Optional.empty();
    }
    var fields = line.substring(close + 2).strip().split(" ", -1);
    try {
      var id = new ProcessId(Long.parseLong(line.substring(0, open)), Long.parseLong(fields[19]));
      return Optional.of(new Stat(id, fields[0].charAt(0), Long.parseLong(fields[3])));
    } catch (NumberFormatException | IndexOutOfBoundsException odd) {
      return Optional.empty();
    }
  }

  static boolean isAlive(ProcessId process) {
    return stat(process.pid()).filter(it -> it.id().equals(process) && it.isAlive()).isPresent();
  }

  private static Optional<String> text(Path file) {
    try {
      // ISO 8859-1 reads any bytes; a process may call itself what it likes.
      return Optional.of(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
    } catch (IOException gone) {
      return Optional.empty();
    }
  }

  private static List<Stat> all() {
    var all = new ArrayList<Stat>();
    try (var entries = Files.newDirectoryStream(ROOT, "[0-9]*")) {
      for (var entry : entries) {
        text(entry.resolve("stat")).flatMap(Proc::parse).ifPresent(all::add);
      }
    } catch (IOException | DirectoryIteratorException broken) {
      LOG.warn("/proc cannot be listed: {}", broken.toString());
    }
    return all;
  }

  /** The texts among {@code wanted} that are an argument of some living process. */
  static Set<String> arguments(Set<String> wanted) {
    var found = new HashSet<String>();
    for (var each : all()) {
      if (each.isAlive()) {
        var line = text(ROOT.resolve(each.id().pid() + "/cmdline")).orElse("");
        for (var argument : line.split("\0", -1)) {
          if (wanted.contains(argument)) {
            found.add(argument);
          }
        }
      }
    }
    return found;
  }

  private static boolean isNamed(Stat stat, String slot) {
    return text(ROOT.resolve(stat.id().pid() + "/environ"))
        .filter(environ -> List.of(environ.split("\0", -1)).contains("LITHOS_NAME=" + slot))
        .isPresent();
  }

  /** Sends SIGTERM, if it is still that process. */
  static void terminate(ProcessId process) {
    if (isAlive(process)) {
      ProcessHandle.of(process.pid()).ifPresent(ProcessHandle::destroy);
    }
  }

  private static void kill(ProcessId process) {
    if (isAlive(process)) {
      ProcessHandle.of(process.pid()).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  /** Sends SIGKILL to the process and everything in its session. */
  static void killSession(ProcessId leader) {
    kill(leader);
    killLeftovers(Set.of(leader), stat -> true);
  }

  /**
   * Kills what outlived the leaders of its sessions. As long as a session has a member, the kernel
   * gives its number to nobody else; so if the number is a process that started at another time,
   * nothing of that session is left.
   */
  static void killLeftovers(Set<ProcessId> leaders, Predicate<Stat> also) {
    var sessions = new HashSet<Long>();
    for (var leader : leaders) {
      if (stat(leader.pid()).filter(it -> !it.id().equals(leader)).isEmpty()) {
        sessions.add(leader.pid());
      }
    }
    // A process may fork while we look; what it forks is found in the next round.
    for (int round = 0; round < 20; round++) {
      var left =
          all().stream()
              .filter(it -> it.isAlive() && sessions.contains(it.session()) && also.test(it))
              .toList();
      if (left.isEmpty()) {
        return;
      }
      left.forEach(it -> kill(it.id()));
    }
  }

  /** The same long after the end, when the number of a session could be another's by now. */
  static void killLeftoversOf(String slot, ProcessId leader) {
    killLeftovers(Set.of(leader), stat -> isNamed(stat, slot));
  }

  private Proc() {}
}
