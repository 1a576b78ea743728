package verwalter.supervisor.embedded;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Replaces the values of variables whose names say that they are secret. Values of fewer than four
 * characters stay, since they are parts of ordinary words. Immutable.
 *
 * @param secrets the values and their lines, longest first
 */
record SecretMask(List<String> secrets) {
  private static final List<String> NAMES =
      List.of("PASSWORD", "PASSWD", "PASSPHRASE", "SECRET", "TOKEN", "KEY", "CREDENTIAL");
  private static final int SHORTEST = 4;
  private static final String MASK = "***";

  /** A line of a launch file that sets a variable; see {@link RunText}. */
  private static final Pattern EXPORT =
      Pattern.compile("(?m)^  export ([A-Za-z_][A-Za-z0-9_]*)=((?:'[^']*'|\\\\')+)$");

  SecretMask {
    secrets = List.copyOf(secrets);
  }

  /** Masks the secrets of an environment. */
  static SecretMask of(Map<String, String> environment) {
    var found = new ArrayList<String>();
    environment.forEach(
        (name, value) -> {
          if (isSecret(name)) {
            value.lines().map(String::strip).forEach(found::add);
          }
        });
    found.removeIf(value -> value.length() < SHORTEST);
    found.sort(Comparator.comparingInt(String::length).reversed());
    return new SecretMask(found);
  }

  /** Masks the secrets in the environment of a run. */
  static SecretMask ofLaunch(String launchFile) {
    var environment = new TreeMap<String, String>();
    var exports = EXPORT.matcher(launchFile);
    while (exports.find()) {
      environment.put(
          exports.group(1),
          exports.group(2).replace("'\\''", "\0").replace("'", "").replace('\0', '\''));
    }
    return of(environment);
  }

  /** Whether the name of a variable says that its value is secret. */
  static boolean isSecret(String name) {
    var upper = name.toUpperCase(Locale.ROOT);
    return NAMES.stream().anyMatch(upper::contains);
  }

  /** The text without the secrets. */
  String in(String text) {
    var masked = text;
    for (var secret : secrets) {
      masked = masked.replace(secret, MASK);
    }
    return masked;
  }
}
