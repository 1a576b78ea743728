package verwalter.supervisor.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import verwalter.supervisor.lithos.Layout;
import verwalter.supervisor.program.Host;

/** Properties of this machine and of the agent's user. */
final class Machine {
  private static final Path SELF = Path.of("/proc/self");
  private static final Pattern UMASK = Pattern.compile("(?m)^Umask:\\s+([0-7]+)$");
  private static final Pattern IGNORED = Pattern.compile("(?m)^SigIgn:\\s+([0-9a-f]+)$");
  private static final Pattern FILES = Pattern.compile("(?m)^Max open files\\s+\\S+\\s+(\\S+)");

  /** A text that differs after every boot. */
  static String boot() throws IOException {
    return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
  }

  /** The umask of the agent, which its programs have too, in octal digits. */
  static String umask(String status) {
    var match = UMASK.matcher(status);
    return match.find() ? match.group(1) : "0022";
  }

  static String umask() throws IOException {
    return umask(Files.readString(SELF.resolve("status")));
  }

  /**
   * Whether the agent ignores signals. Its programs would ignore them too, and a shell that does
   * cannot change it. A script that starts the agent with {@code &} makes it ignore INT and QUIT,
   * and {@code nohup} HUP.
   *
   * @param status the content of {@code /proc/self/status}
   */
  static boolean ignoresSignals(String status) {
    var match = IGNORED.matcher(status);
    return match.find() && Long.parseUnsignedLong(match.group(1), 16) != 0;
  }

  static boolean ignoresSignals() throws IOException {
    return ignoresSignals(Files.readString(SELF.resolve("status")));
  }

  static Host host(Layout layout, Settings settings) throws IOException {
    return new Host(
        layout.sandboxes(),
        layout.processes(),
        layout.stdio(),
        number("unix:uid"),
        number("unix:gid"),
        fileLimit(Files.readString(SELF.resolve("limits"))),
        settings.term(),
        settings.strict(),
        settings.commands(),
        ProcessShim.program("setpriv"));
  }

  private static long number(String attribute) throws IOException {
    return ((Number) Files.getAttribute(SELF, attribute)).longValue();
  }

  static long fileLimit(String limits) {
    var match = FILES.matcher(limits);
    return match.find() && !match.group(1).equals("unlimited")
        ? Long.parseLong(match.group(1))
        : Long.MAX_VALUE;
  }

  private Machine() {}
}
