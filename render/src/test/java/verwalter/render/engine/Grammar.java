package verwalter.render.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.regex.Pattern;

/**
 * Random texts from a grammar, a file of lines {@code name = alternatives}. {@code <name>} refers
 * to a rule, {@code } is a line feed and {@code \s} a blank. At great depth the first alternative
 * is used, which therefore must terminate.
 */
final class Grammar {
  private static final Pattern NAME = Pattern.compile("<([a-z]+)>");

  private final Map<String, List<String>> ways = new HashMap<>();

  Grammar(Path file) throws IOException {
    for (var line : Files.readAllLines(file)) {
      if (!line.startsWith("#")) {
        int equals = line.indexOf(" =");
        var way = line.substring(equals + 2).strip().replace("\\n", "\n").replace("\\s", " ");
        ways.computeIfAbsent(line.substring(0, equals), name -> new ArrayList<>()).add(way);
      }
    }
  }

  String text(String name, Random random, int depth) {
    var way = Objects.requireNonNull(ways.get(name), name);
    var chosen = way.get(depth <= 0 ? 0 : random.nextInt(way.size()));
    var text = new StringBuilder();
    int from = 0;
    var names = NAME.matcher(chosen);
    while (names.find()) {
      text.append(chosen, from, names.start()).append(text(names.group(1), random, depth - 1));
      from = names.end();
    }
    return text.append(chosen, from, chosen.length()).toString();
  }
}
