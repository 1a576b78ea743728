package verwalter.render.recipe;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import verwalter.render.RenderFailed;
import verwalter.render.engine.TemplateDirectory;

/**
 * What one {@code *.render.yaml} says: which templates to render under which names, and what to do
 * with the results.
 *
 * @param file relative to the template directory
 * @param text all of it, as written
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
   * Reads a recipe and checks everything that can be known without running it.
   *
   * @param directory where its templates must be
   */
  public static Recipe parse(String file, String text, TemplateDirectory directory)
      throws RenderFailed {
    return new RecipeReader(file, directory).read(text);
  }
}
