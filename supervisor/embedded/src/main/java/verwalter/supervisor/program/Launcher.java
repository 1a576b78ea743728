package verwalter.supervisor.program;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;
import verwalter.model.ProcessSpec;

/** The program that executes commands in its own place, as another user and with fewer rights. */
public final class Launcher {
  private static final long ROOT = 0;

  /**
   * The words before a command line that take away the possibility to gain rights, and the
   * capabilities of root unless the command is for root. Only root may change to another user.
   * Empty if the host has no program for that.
   */
  public static List<String> words(Host host, ProcessSpec.Command command) {
    if (host.setpriv().isEmpty()) {
      return List.of();
    }
    var words = new ArrayList<>(List.of(host.setpriv().get().toString(), "--no-new-privs"));
    long user = command.user().orElse(host.user());
    if (host.user() == ROOT && !isOwn(host, command)) {
      var groups = command.groups();
      words.add("--reuid=" + user);
      words.add("--regid=" + (groups.isEmpty() ? user : groups.get(0)));
      words.add(
          groups.size() < 2
              ? "--clear-groups"
              : groups.stream().map(String::valueOf).collect(joining(",", "--groups=", "")));
      if (user != ROOT) {
        words.addAll(List.of("--inh-caps=-all", "--bounding-set=-all"));
      }
    }
    words.add("--");
    return words;
  }

  /** Whether a command has the user and the group of the host's supervisor. */
  static boolean isOwn(Host host, ProcessSpec.Command command) {
    return command.user().filter(id -> id != host.user()).isEmpty()
        && command.groups().stream().allMatch(id -> id == host.group());
  }

  private Launcher() {}
}
