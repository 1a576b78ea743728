package verwalter.render.recipe;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import verwalter.render.RenderFailed;
import verwalter.render.RenderProblem;
import verwalter.render.Text;
import verwalter.render.engine.Nearest;
import verwalter.render.engine.TemplateDirectory;
import verwalter.render.engine.TemplateLanguages;

/** Parses one recipe and collects all its errors. */
final class RecipeReader {
  private static final Map<String, CommandReader> COMMANDS =
      Map.of(
          "Copy", Copy::read,
          "Cmd", Cmd::read,
          "Sh", Sh::read,
          "RootCommand", RootCommand::read,
          "SplitText", SplitText::read,
          "CleanFiles", CleanFiles::read,
          "PeekLog", PeekLog::read,
          "Condition", ConditionalCommands::read);

  private static final Set<String> KEYS =
      Set.of("templates", "commands", "guards", "drift", "needs");

  private static final String FILES = "files.";

  /** The maximum number of errors that are reported. */
  private static final int PROBLEMS = 100;

  private final String file;
  private final TemplateDirectory directory;
  private final List<RenderProblem> problems = new ArrayList<>();
  private final SortedMap<String, Recipe.Template> templates = new TreeMap<>(Text.BY_CODE_POINT);
  private final List<Command> commands = new ArrayList<>();
  private Rules rules = Rules.NONE;

  /** Parses the value of one tag. */
  @FunctionalInterface
  interface CommandReader {
    Command read(LegacyYaml payload, RecipeReader reader) throws RecipeError;
  }

  RecipeReader(String file, TemplateDirectory directory) {
    this.file = file;
    this.directory = directory;
  }

  Recipe read(String text) throws RenderFailed {
    try {
      var document = LegacyYaml.parse(file, text);
      if (document.isPresent()) {
        var fields = document.get().fields(KEYS);
        if (fields.containsKey("templates")) {
          readTemplates(fields.get("templates"));
        }
        if (fields.containsKey("commands")) {
          readCommands(fields.get("commands"), COMMANDS.keySet(), commands);
        }
        readRules(fields);
      }
    } catch (RecipeError e) {
      problems.add(e.problem());
    }
    if (!problems.isEmpty()) {
      throw new RenderFailed(problems);
    }
    return new Recipe(file, text, templates, commands, rules);
  }

  private void readRules(Map<String, LegacyYaml> fields) {
    try {
      rules =
          new Rules(
              fields.containsKey("guards")
                  ? Rules.guards(fields.get("guards"), templates)
                  : Rules.NONE.guards(),
              fields.containsKey("drift") && Rules.reportsDrift(fields.get("drift")),
              fields.containsKey("needs") ? Rules.needs(fields.get("needs")) : List.of());
    } catch (RecipeError e) {
      problems.add(e.problem());
    }
  }

  private void readTemplates(LegacyYaml section) throws RecipeError {
    for (var entry : section.entries().entrySet()) {
      if (problems.size() >= PROBLEMS) {
        return;
      }
      try {
        var value = entry.getValue().value();
        templates.put(entry.getKey(), template(value, value.text()));
      } catch (RecipeError e) {
        problems.add(e.problem());
        templates.put(entry.getKey(), new Recipe.Template(new Place(file, 1, 1), ""));
      }
    }
  }

  private Recipe.Template template(LegacyYaml value, String written) throws RecipeError {
    var path = resolve(value, written);
    if (!TemplateLanguages.isTemplate(path)) {
      throw value.error(
          "the template `"
              + written
              + "` has no ending that names an engine: "
              + String.join(", ", TemplateLanguages.endings()));
    }
    if (directory.file(path).isEmpty()) {
      throw value.error(
          "there is no template `" + path + "`" + Nearest.hint(path, directory.files().keySet()));
    }
    return new Recipe.Template(value.place(), path);
  }

  /** Joins the recipe's directory and a path, which must not lead out of the tree. */
  private String resolve(LegacyYaml value, String written) throws RecipeError {
    var parts = new ArrayList<String>();
    var own = file.lastIndexOf('/') < 0 ? "" : file.substring(0, file.lastIndexOf('/') + 1);
    for (var part : List.of((own + written).split("/", -1))) {
      if (part.equals("..") && !parts.isEmpty()) {
        parts.remove(parts.size() - 1);
      } else if (part.equals("..")) {
        throw value.error("`" + written + "` leads outside the template directory");
      } else if (!part.isEmpty() && !part.equals(".")) {
        parts.add(part);
      }
    }
    if (written.startsWith("/")) {
      throw value.error("`" + written + "` is absolute; write it relative to this file");
    }
    return String.join("/", parts);
  }

  /** Parses the commands within a condition, which may be of any type but a condition. */
  void readNested(LegacyYaml section, List<Command> into) throws RecipeError {
    var allowed = new TreeSet<>(COMMANDS.keySet());
    allowed.remove("Condition");
    readCommands(section, allowed, into);
  }

  private void readCommands(LegacyYaml section, Set<String> allowed, List<Command> into)
      throws RecipeError {
    for (var item : section.items()) {
      if (problems.size() >= PROBLEMS) {
        return;
      }
      try {
        into.add(command(item, allowed));
      } catch (RecipeError e) {
        problems.add(e.problem());
      }
    }
  }

  private Command command(LegacyYaml item, Set<String> allowed) throws RecipeError {
    var known = String.join(", ", new TreeSet<>(allowed));
    var tag = item.tag();
    if (tag.isEmpty()) {
      throw item.error("a command starts with its tag, like !Copy; known are " + known);
    }
    var reader = COMMANDS.get(tag.get());
    if (reader == null) {
      throw item.error(
          "unknown command !"
              + tag.get()
              + "; known are "
              + known
              + Nearest.hint(tag.get(), allowed));
    }
    if (!allowed.contains(tag.get())) {
      throw item.error("!" + tag.get() + " cannot stand in another one; known here are " + known);
    }
    return reader.read(item, this);
  }

  /** A text whose {@code {{ names }}} are all known. */
  String expandable(LegacyYaml value) throws RecipeError {
    var text = value.text();
    Expansion.<RecipeError>expand(
        text,
        name -> {
          if (!isKnown(name)) {
            throw unknown(value, name);
          }
          return name;
        });
    return text;
  }

  private boolean isKnown(String name) {
    return name.equals("role")
        || name.equals(Expansion.CONFIG_DIRECTORY)
        || (name.startsWith(FILES) && templates.containsKey(name.substring(FILES.length())));
  }

  private RecipeError unknown(LegacyYaml value, String name) {
    var known = new TreeSet<>(List.of("role", Expansion.CONFIG_DIRECTORY));
    templates.keySet().forEach(each -> known.add(FILES + each));
    return value.errorAt(
        name,
        "unknown variable `"
            + name
            + "`; known are "
            + String.join(", ", known)
            + Nearest.hint(name, known));
  }

  /** A text that begins with an absolute directory, literal or {@code config_dir}. */
  String absolute(LegacyYaml value) throws RecipeError {
    var text = expandable(value);
    if (!Expansion.<RuntimeException>constantPart(text, name -> "/").startsWith("/")) {
      throw value.error(
          "`%s` does not start with a directory that is absolute and written out".formatted(text));
    }
    return text;
  }

  /** A pattern for files below an absolute directory. */
  Glob pattern(LegacyYaml value) throws RecipeError {
    var text = absolute(value);
    try {
      return Glob.parse(Expansion.<RuntimeException>expand(text, RecipeReader::placeholder));
    } catch (Glob.Malformed e) {
      throw value.error("the pattern `" + text + "` " + e.getMessage());
    }
  }

  private static String placeholder(String name) {
    return name.equals(Expansion.CONFIG_DIRECTORY) ? "/" : "x";
  }

  /** A regular expression, matched in linear time. */
  Pattern expression(LegacyYaml value) throws RecipeError {
    try {
      return Pattern.compile(value.text());
    } catch (PatternSyntaxException e) {
      throw value.error("`" + value.text() + "` is no regular expression: " + e.getMessage());
    }
  }

  /** The field {@code src}. It may be omitted in a recipe with one template. */
  String source(LegacyYaml payload, Map<String, LegacyYaml> fields) throws RecipeError {
    if (fields.containsKey("src")) {
      return expandable(fields.get("src"));
    }
    if (templates.size() == 1) {
      return "{{ files." + templates.firstKey() + " }}";
    }
    throw payload.error(
        "`src` is missing; it can be left out only where the recipe has exactly one template");
  }

  /** A command line of at least one word. */
  List<String> commandLine(LegacyYaml value) throws RecipeError {
    var words = new ArrayList<String>();
    for (var item : value.items()) {
      words.add(expandable(item));
    }
    if (words.isEmpty() || words.get(0).isEmpty()) {
      throw value.error("a command line needs at least the name of a program");
    }
    return words;
  }
}
