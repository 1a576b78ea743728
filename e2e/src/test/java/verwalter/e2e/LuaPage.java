package verwalter.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The reference page of the Lua modules, from their comments. */
final class LuaPage {
  private static final Path MODULES =
      LaunchedAgent.HOME.resolve("scheduler-lua/core/src/main/resources/verwalter/lua");

  /** The documented modules in order. Other modules are internal. */
  private static final List<String> NAMES =
      List.of(
          "scheduler",
          "placement",
          "ports",
          "versions",
          "rates",
          "metrics",
          "actions",
          "parents",
          "endpoints",
          "update",
          "update/one_by_one",
          "update/substeps",
          "update/canary",
          "update/blue_green",
          "update/migration",
          "update/pipeline",
          "update/health",
          "groups",
          "groups/buttons",
          "reasons",
          "tables",
          "json",
          "log",
          "spec");

  private static final Pattern FUNCTION =
      Pattern.compile("function ([a-z_]+[.:][a-z_]+\\([^)]*\\)).*");

  static String of() throws IOException {
    var page = Markdown.page("The scheduler's library", "the comments in the modules");
    page.paragraph(
        "`require \"verwalter/NAME\"` gives a module. [How they are used"
            + "](../guide/scheduler-library.md).");
    for (var name : NAMES) {
      module(page, name, Files.readAllLines(MODULES.resolve(name + ".lua")));
    }
    return page.toString();
  }

  private static void module(Markdown page, String name, List<String> lines) {
    page.heading(2, "verwalter/" + name);
    int at = 0;
    var comment = new ArrayList<String>();
    while (at < lines.size() && lines.get(at).startsWith("--")) {
      comment.add(lines.get(at++).substring(2));
    }
    text(page, comment);
    comment.clear();
    for (; at < lines.size(); at++) {
      var line = lines.get(at);
      var function = FUNCTION.matcher(line);
      if (line.startsWith("--")) {
        comment.add(line.substring(2));
      } else {
        if (function.matches() && !comment.isEmpty()) {
          page.heading(3, function.group(1));
          text(page, comment);
        }
        comment.clear();
      }
    }
  }

  /** Writes comments as paragraphs. Indented text is preformatted. */
  private static void text(Markdown page, List<String> comment) {
    var words = new StringBuilder();
    var code = new ArrayList<String>();
    for (var line : comment) {
      if (line.startsWith("   ")) {
        page.paragraph(taken(words));
        code.add(line.substring(3));
      } else if (line.isBlank()) {
        if (code.isEmpty()) {
          page.paragraph(taken(words));
        } else {
          code.add("");
        }
      } else {
        code(page, code);
        words.append(line.strip()).append('\n');
      }
    }
    code(page, code);
    page.paragraph(taken(words));
  }

  private static void code(Markdown page, List<String> code) {
    while (!code.isEmpty() && code.get(code.size() - 1).isBlank()) {
      code.remove(code.size() - 1);
    }
    if (!code.isEmpty()) {
      page.code("", List.copyOf(code));
      code.clear();
    }
  }

  private static String taken(StringBuilder words) {
    var text = words.toString();
    words.setLength(0);
    return text;
  }

  private LuaPage() {}
}
