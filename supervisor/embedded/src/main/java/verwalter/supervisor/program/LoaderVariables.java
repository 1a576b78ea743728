package verwalter.supervisor.program;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Environment variables that make the C library load code or data from elsewhere. A {@link
 * Launcher} still has the rights of the supervisor when it starts, and is no set-uid program, so
 * the C library would obey them. So the program gets them behind its launcher.
 *
 * <p>They are those that the C library of GNU ignores in set-uid programs: see ld.so(8).
 */
public final class LoaderVariables {
  private static final String PREFIX = "LD_";

  private static final Set<String> NAMES =
      Set.of(
          "GCONV_PATH",
          "GETCONF_DIR",
          "GLIBC_TUNABLES",
          "HOSTALIASES",
          "LOCALDOMAIN",
          "LOCPATH",
          "MALLOC_TRACE",
          "NIS_PATH",
          "NLSPATH",
          "RESOLV_HOST_CONF",
          "RES_OPTIONS",
          "TMPDIR",
          "TZDIR");

  /** The environment of a launcher: without these variables, unless there is no launcher. */
  public static SortedMap<String, String> before(
      List<String> launcher, Map<String, String> environment) {
    var others = new TreeMap<>(environment);
    if (!launcher.isEmpty()) {
      others.keySet().removeIf(LoaderVariables::isOne);
    }
    return others;
  }

  /** The words between a launcher and the program, which set these variables; empty for none. */
  public static List<String> behind(List<String> launcher, Map<String, String> environment) {
    var own = new TreeMap<>(environment);
    own.keySet().removeIf(name -> !isOne(name));
    if (launcher.isEmpty() || own.isEmpty()) {
      return List.of();
    }
    var exports =
        own.entrySet().stream()
            .map(it -> "export %s=%s; ".formatted(it.getKey(), ShellText.quoted(it.getValue())))
            .collect(joining());
    return List.of("/bin/sh", "-c", exports + "exec \"$@\"", "sh");
  }

  private static boolean isOne(String name) {
    return name.startsWith(PREFIX) || NAMES.contains(name);
  }

  private LoaderVariables() {}
}
