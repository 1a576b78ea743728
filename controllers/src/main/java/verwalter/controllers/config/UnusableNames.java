package verwalter.controllers.config;

import java.util.HashSet;
import java.util.List;
import java.util.TreeMap;
import verwalter.model.Names;
import verwalter.model.RoleConfig;
import verwalter.model.json.Json;

/**
 * Files whose names cannot be those of roles. Each is the problem of a role with a similar name,
 * which runs nothing and ends with the file. Pure.
 */
final class UnusableNames {
  private static final int LONGEST = 100;

  private static final int DIGITS = 8;

  /** The same reading, in which each name can be that of a role. */
  static RuntimeReading named(RuntimeReading reading) {
    var names = new HashSet<>(reading.roles().keySet());
    names.addAll(reading.problems().keySet());
    names.addAll(reading.services().keySet());
    names.removeIf(Names::isValid);
    if (names.isEmpty()) {
      return reading;
    }
    var roles = new TreeMap<>(reading.roles());
    var problems = new TreeMap<>(reading.problems());
    var services = new TreeMap<>(reading.services());
    var files = new HashSet<>(reading.files());
    for (var name : names) {
      var similar = similar(name);
      roles.remove(name);
      services.remove(name);
      var known = problems.remove(name);
      problems.put(
          similar, known != null && reading.files().contains(name) ? known : List.of(why(name)));
      if (files.remove(name)) {
        files.add(similar);
      }
    }
    return new RuntimeReading(roles, problems, services, files, reading.unknown());
  }

  private static String why(String name) {
    return "%s/%s: a role's name has %s; rename it".formatted(RoleConfig.RUNTIME, name, Names.RULE);
  }

  /** A valid name: different names have different ones. */
  private static String similar(String name) {
    var plain = name.replaceAll("[^A-Za-z0-9]+", "-").replaceAll("^-|-$", "");
    var shown = plain.isEmpty() ? "unnamed" : plain.substring(0, Math.min(LONGEST, plain.length()));
    return shown + "@" + Json.hash(name).substring(0, DIGITS);
  }

  private UnusableNames() {}
}
