package verwalter.e2e;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The Maven modules of the repository, named by their directories, and their imports. */
final class Modules {
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

  /** A line of {@code docs/architecture.md} with an arrow. */
  private static final Pattern ARROW = Pattern.compile("([a-z/-]+) +->( .*)?");

  /** All modules with code, in the order of the build. */
  static List<String> declared() throws IOException {
    var all = new ArrayList<String>();
    collect(LaunchedAgent.HOME, "", all);
    return all;
  }

  private static void collect(Path root, String prefix, List<String> all) throws IOException {
    var names = MODULE.matcher(Files.readString(root.resolve("pom.xml")));
    while (names.find()) {
      var directory = root.resolve(names.group(1));
      if (Files.exists(directory.resolve("src/main/java"))) {
        all.add(prefix + names.group(1));
      } else {
        collect(directory, prefix + names.group(1) + "/", all);
      }
    }
  }

  /** The module of a class: the parent of its {@code target} directory. */
  static String of(JavaClass it) {
    var place = it.getSource().orElseThrow().getUri().toString();
    var home = LaunchedAgent.HOME.toAbsolutePath().normalize() + "/";
    int from = place.indexOf(home) + home.length();
    return place.substring(from, place.indexOf("/target/", from));
  }

  /** The modules that the classes of each module use. */
  static Map<String, SortedSet<String>> imports(JavaClasses classes) {
    var all = new TreeMap<String, SortedSet<String>>();
    for (var it : classes) {
      var used = all.computeIfAbsent(of(it), key -> new TreeSet<>());
      for (var dependency : it.getDirectDependenciesFromSelf()) {
        var target = dependency.getTargetClass().getBaseComponentType();
        if (target.getPackageName().startsWith("verwalter") && target.getSource().isPresent()) {
          used.add(of(target));
        }
      }
      used.remove(of(it));
    }
    return all;
  }

  /** The allowed imports of a page: lines of {@code MODULE -> MODULE MODULE...}. */
  static Map<String, SortedSet<String>> drawn(String page) throws IOException {
    var all = new TreeMap<String, SortedSet<String>>();
    for (var line : Files.readAllLines(LaunchedAgent.HOME.resolve(page))) {
      var arrow = ARROW.matcher(line);
      if (arrow.matches()) {
        var used = new TreeSet<String>();
        if (arrow.group(2) != null) {
          used.addAll(List.of(arrow.group(2).strip().split(" +", -1)));
        }
        used.remove("");
        all.put(arrow.group(1), used);
      }
    }
    return all;
  }

  private Modules() {}
}
