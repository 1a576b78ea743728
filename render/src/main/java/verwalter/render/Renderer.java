package verwalter.render;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Renders the template directory of a role. Reads that directory and nothing else, writes nothing;
 * equal directories and variables give equal results. Safe from any thread; keeps what it compiled.
 */
public final class Renderer {
  private final Path config;
  private final Limits limits;
  private final Map<String, TemplateEngine> engines = new HashMap<>();

  /** For a configuration directory: what {@code config_dir} stands for in commands. */
  public Renderer(Path config) {
    this(config, Limits.DEFAULT);
  }

  Renderer() {
    this(Limits.DEFAULT);
  }

  Renderer(Limits limits) {
    this(Path.of("/"), limits);
  }

  private Renderer(Path config, Limits limits) {
    this.config = config;
    this.limits = limits;
    for (var engine :
        List.<TemplateEngine>of(
            new JinjaEngine(limits), new TeraEngine(limits), new HandlebarsEngine(limits))) {
      engine.extensions().forEach(extension -> engines.put(extension, engine));
    }
  }

  /**
   * Renders every template that the recipes of the directory name (verwalter.md 7.3).
   *
   * @param variables everything templates may use, {@code role} and {@code node} included
   * @throws RenderFailed with every problem found in the first stage that has one: reading the
   *     directory, checking all templates and recipes, rendering
   */
  public Rendered render(Path templateDirectory, String role, Map<String, Object> variables)
      throws RenderFailed {
    var directory = TemplateDirectory.read(templateDirectory, limits);
    var problems = new ArrayList<Problem>();
    var recipes = new ArrayList<Recipe>();
    for (var name : directory.files().keySet()) {
      try {
        if (Recipe.isRecipe(name)) {
          recipes.add(Recipe.parse(name, directory.files().get(name), directory));
        } else {
          problems.addAll(check(directory, name));
        }
      } catch (RenderFailed e) {
        problems.addAll(e.problems());
      }
    }
    stopIf(problems);
    return new Rendered(
        role, config.toString(), parts(directory, recipes, SortedVariables.of(variables)));
  }

  private List<Problem> check(TemplateDirectory directory, String name) {
    var engine = engines.get(TemplateEngine.extension(name));
    return engine == null ? List.of() : engine.check(directory, name);
  }

  private List<Rendered.Part> parts(
      TemplateDirectory directory, List<Recipe> recipes, Map<String, Object> variables)
      throws RenderFailed {
    var problems = new ArrayList<Problem>();
    var parts = new ArrayList<Rendered.Part>();
    for (var recipe : recipes) {
      SortedMap<String, String> files = new TreeMap<>(Text.BY_CODE_POINT);
      for (var template : recipe.templates().entrySet()) {
        try {
          files.put(template.getKey(), render(directory, template.getValue(), variables));
        } catch (RenderFailed e) {
          problems.addAll(e.problems());
        }
      }
      parts.add(new Rendered.Part(recipe.file(), files, recipe.commands()));
    }
    stopIf(problems);
    return parts;
  }

  private String render(
      TemplateDirectory directory, Recipe.Template template, Map<String, Object> variables)
      throws RenderFailed {
    var engine = engines.get(TemplateEngine.extension(template.path()));
    if (engine == null) {
      throw new RenderFailed(
          template
              .place()
              .problem(
                  "the engine for `"
                      + template.path()
                      + "` is not there yet; those for "
                      + String.join(", ", new TreeSet<>(engines.keySet()))
                      + " are"));
    }
    return engine.render(directory, template.path(), variables);
  }

  private static void stopIf(List<Problem> problems) throws RenderFailed {
    if (!problems.isEmpty()) {
      throw new RenderFailed(problems);
    }
  }
}
