package verwalter.supervisor.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The kernel's list of processes. */
final class Proc {
  private static final Logger LOG = LoggerFactory.getLogger(Proc.class);
  private static final Path ROOT = Path.of("/proc");
  private static final long SELF = ProcessHandle.current().pid();

  /** The flag of a kernel thread among the flags of a stat file. */
  private static final long KERNEL_THREAD = 0x00200000;

  /**
   * The used fields of a stat file.
   *
   * @param session 0 if the session's leader is outside of this PID namespace
   * @param terminal the device number of the controlling terminal; 0 for none
   */
  record Stat(ProcessId id, char state, long session, int terminal, boolean isKernelThread) {
    private static final int FIRST_PTS = 136;
    private static final int MAJORS = 8;

    /** The pseudo terminal that controls the process; see tty_nr in proc(5). */
    Optional<Path> pseudoTerminal() {
      int major = (terminal >> 8) & 0xfff;
      int minor = (terminal & 0xff) | ((terminal >> 12) & 0xfff00);
      return major >= FIRST_PTS && major < FIRST_PTS + MAJORS
          ? Optional.of(Path.of("/dev/pts/" + ((major - FIRST_PTS) * 256 + minor)))
          : Optional.empty();
    }

    /** A zombie has ended and only waits for its parent. */
    boolean isAlive() {
      return state != 'Z' && state != 'X';
    }
  }

  static Optional<Stat> stat(long pid) {
    return text(ROOT.resolve(pid + "/stat")).flatMap(Proc::parse);
  }

  /** Parses a line of a stat file; the name in it may contain any character, even brackets. */
  static Optional<Stat> parse(String line) {
    int open = line.indexOf(" (");
    int close = line.lastIndexOf(") ");
    if (open < 1 || close < open) {
      return Optional.empty();
    }
    var fields = line.substring(close + 2).strip().split(" ", -1);
    try {
      var id = new ProcessId(Long.parseLong(line.substring(0, open)), Long.parseLong(fields[19]));
      return Optional.of(
          new Stat(
              id,
              fields[0].charAt(0),
              Long.parseLong(fields[3]),
              Integer.parseInt(fields[4]),
              (Long.parseLong(fields[6]) & KERNEL_THREAD) != 0));
    } catch (NumberFormatException | IndexOutOfBoundsException odd) {
      return Optional.empty();
    }
  }

  static boolean isAlive(ProcessId process) {
    return stat(process.pid()).filter(it -> it.id().equals(process) && it.isAlive()).isPresent();
  }

  private static Optional<String> text(Path file) {
    try {
      // ISO 8859-1 decodes any bytes; a process can choose its name freely.
      return Optional.of(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
    } catch (IOException gone) {
      return Optional.empty();
    }
  }

  /**
   * All processes except this one, which may be in the session of a program or have its mark if the
   * program started it.
   */
  private static List<Stat> all() {
    var all = new ArrayList<Stat>();
    try (var entries = Files.newDirectoryStream(ROOT, "[0-9]*")) {
      for (var entry : entries) {
        text(entry.resolve("stat"))
            .flatMap(Proc::parse)
            .filter(it -> it.id().pid() != SELF)
            .ifPresent(all::add);
      }
    } catch (IOException | DirectoryIteratorException broken) {
      LOG.warn("/proc cannot be listed: {}", broken.toString());
    }
    return all;
  }

  /** The stat file of a process. */
  static Optional<String> line(long pid) {
    return text(ROOT.resolve(pid + "/stat")).map(String::strip);
  }

  /** The file that a process writes its output to. */
  static Optional<Path> output(long pid) {
    try {
      return Optional.of(Files.readSymbolicLink(ROOT.resolve(pid + "/fd/1")));
    } catch (IOException gone) {
      return Optional.empty();
    }
  }

  /**
   * The texts among {@code wanted} that are an argument of a live process of one user, with these
   * processes. Others may use any arguments.
   *
   * @param user the number of the user that has started the process
   */
  static Map<String, Set<Long>> arguments(Set<String> wanted, long user) {
    var found = new HashMap<String, Set<Long>>();
    for (var each : all()) {
      if (!each.isAlive()) {
        continue;
      }
      long pid = each.id().pid();
      var line = text(ROOT.resolve(pid + "/cmdline")).orElse("");
      for (var argument : line.split("\0", -1)) {
        if (wanted.contains(argument) && isOf(user, pid)) {
          found.computeIfAbsent(argument, any -> new HashSet<>()).add(pid);
        }
      }
    }
    return found;
  }

  /**
   * Whether a process has no other user, real, effective or saved: a set-uid program has the user
   * of its file, but arguments of the user who has started it.
   */
  private static boolean isOf(long user, long pid) {
    return text(ROOT.resolve(pid + "/status")).stream()
        .flatMap(String::lines)
        .filter(line -> line.startsWith("Uid:\t"))
        .map(line -> List.of(line.substring(5).split("\t", -1)))
        .anyMatch(users -> users.stream().allMatch(String.valueOf(user)::equals));
  }

  /** The process that has started a process, or adopted it. */
  static Optional<Long> parent(long pid) {
    return line(pid)
        .map(line -> line.substring(line.lastIndexOf(") ") + 2).split(" ", -1)[1])
        .map(Long::parseLong);
  }

  private static boolean isNamed(Stat stat, String slot) {
    return text(ROOT.resolve(stat.id().pid() + "/environ"))
        .filter(environ -> List.of(environ.split("\0", -1)).contains("LITHOS_NAME=" + slot))
        .isPresent();
  }

  /**
   * The live processes whose environment has a mark.
   *
   * @param scope the beginning of the marks
   * @param where the processes to look at; reading an environment takes as long as all the rest
   * @return by the rest of the mark
   */
  static Map<String, List<Stat>> marked(String scope, Predicate<Stat> where) {
    return marked(RunDirectory.MARK, scope, where);
  }

  /** Whether a process was started with this environment variable. */
  static boolean hasVariable(long pid, String name) {
    var environ = text(ROOT.resolve(pid + "/environ")).orElse("");
    return ("\0" + environ).contains("\0" + name + "=");
  }

  private static Map<String, List<Stat>> marked(
      String variable, String scope, Predicate<Stat> where) {
    var prefix = variable + "=" + scope;
    var marked = new HashMap<String, List<Stat>>();
    for (var each : all()) {
      if (!where.test(each)) {
        continue;
      }
      var environ = text(ROOT.resolve(each.id().pid() + "/environ")).orElse("");
      int at = ("\0" + environ).indexOf("\0" + prefix);
      if (at >= 0 && each.isAlive()) {
        int end = environ.indexOf('\0', at);
        var mark = environ.substring(at + prefix.length(), end < 0 ? environ.length() : end);
        marked.computeIfAbsent(mark, run -> new ArrayList<>()).add(each);
      }
    }
    return marked;
  }

  /**
   * Kills the processes with the marks of these runs, wherever they are.
   *
   * @return the ids of those that were found, by run
   */
  static Map<String, SortedSet<Long>> killMarked(String scope, Predicate<String> runs) {
    return killMarked(RunDirectory.MARK, scope, runs);
  }

  /** The same for marks in another environment variable. */
  static Map<String, SortedSet<Long>> killMarked(
      String variable, String scope, Predicate<String> runs) {
    var killed = new TreeMap<String, SortedSet<Long>>();
    // A process may fork meanwhile; its child is found in the next round.
    for (int round = 0; round < 20; round++) {
      var left = marked(variable, scope, stat -> true);
      left.keySet().removeIf(runs.negate());
      if (left.isEmpty()) {
        break;
      }
      left.forEach(
          (run, all) -> {
            all.forEach(it -> kill(it.id()));
            all.forEach(
                it -> killed.computeIfAbsent(run, key -> new TreeSet<>()).add(it.id().pid()));
          });
    }
    return killed;
  }

  /** Sends SIGTERM if the process still exists. */
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
   * Kills the remaining processes of sessions whose leaders have ended. While a session has a
   * member, the kernel does not reuse its number. So if the number is that of a process with
   * another start time, nothing of the session is left.
   */
  static void killLeftovers(Set<ProcessId> leaders, Predicate<Stat> also) {
    var sessions = new HashSet<Long>();
    for (var leader : leaders) {
      if (stat(leader.pid()).filter(it -> !it.id().equals(leader)).isEmpty()) {
        sessions.add(leader.pid());
      }
    }
    // A process may fork meanwhile; its child is found in the next round.
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

  /** The same long after the end, when the number of a session may be reused. */
  static void killLeftoversOf(String slot, ProcessId leader) {
    killLeftovers(Set.of(leader), stat -> isNamed(stat, slot));
  }

  private Proc() {}
}
