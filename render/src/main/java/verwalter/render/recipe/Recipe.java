package verwalter.render.recipe;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import verwalter.render.RenderFailed;
import verwalter.render.engine.TemplateDirectory;

/**
 * One parsed {@code *.render.yaml}: the templates to render with their names, and the commands.
 *
 * @param file relative to the template directory
 * @param text the source
 */
public record Recipe(
    String file,
    String text,
    SortedMap<String, Template> templates,
    List<Command> commands,
    Rules rules) {

  /** One template to render, relative to the template directory. */
  public record Template(Place place, String path) {}

  public Recipe {
    templates = Collections.unmodifiableSortedMap(new TreeMap<>(templates));
    commands = List.copyOf(commands);
  }

  boolean looksAtLogs() {
    return commands.stream()
        .anyMatch(
            command ->
                command instanceof PeekLog
                    || command.nested().stream().anyMatch(PeekLog.class::isInstance));
  }

  /**
   * Parses a recipe and checks everything that can be checked without running it.
   *
   * @param directory the directory of its templates
   */
  public static Recipe parse(String file, String text, TemplateDirectory directory)
      throws RenderFailed {
    return new RecipeReader(file, directory).read(text);
  }
}
