package verwalter.render.recipe;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import verwalter.render.RenderFailed;
import verwalter.render.RenderProblem;
import verwalter.render.Text;
import verwalter.render.engine.Limits;
import verwalter.render.engine.TemplateDirectory;
import verwalter.render.engine.TemplateEngine;
import verwalter.render.engine.TemplateLanguage;
import verwalter.render.engine.TemplateLanguages;

/**
 * Renders the template directory of a role. Reads only that directory and, for {@code PeekLog}, the
 * names of log directories; writes nothing. Equal directories and variables give equal results.
 * Thread-safe; caches compiled templates.
 */
public final class Renderer {
  private static final int DIRECTORIES = 200;

  /** The parsed files of a template directory, and their errors. */
  private record Prepared(List<Recipe> recipes, List<RenderProblem> problems) {
    Prepared {
      recipes = List.copyOf(recipes);
      problems = List.copyOf(problems);
    }
  }

  private final Path config;
  private final Limits limits;
  private final Cache<String, Prepared> prepared =
      Caffeine.newBuilder().maximumSize(DIRECTORIES).build();
  private final Map<TemplateLanguage, TemplateEngine> engines = new ConcurrentHashMap<>();

  /** For a configuration directory, the value of {@code config_dir} in commands. */
  public Renderer(Path config) {
    this(config, Limits.DEFAULT);
  }

  private Renderer(Path config, Limits limits) {
    this.config = config;
    this.limits = limits;
  }

  /**
   * Renders every template that the recipes of the directory name.
   *
   * @param variables all variables of templates, including {@code role} and {@code node}
   * @throws RenderFailed with all errors of the first stage that has any: reading the directory,
   *     checking templates and recipes, rendering
   */
  public Rendered render(Path templateDirectory, String role, Map<String, Object> variables)
      throws RenderFailed {
    var directory = TemplateDirectory.read(templateDirectory, limits);
    var known = prepared(directory);
    stopIf(known.problems());
    return new Rendered(
        role,
        config.toString(),
        directory.files().values().stream().anyMatch(text -> text.contains(Rendered.SCHEDULE)),
        logDirectories(known.recipes()),
        parts(directory, known.recipes(), SortedVariables.of(variables)));
  }

  /**
   * Renders templates that belong to no recipe.
   *
   * @param templates their texts by name; they may include one another
   * @param variables all variables of templates
   * @throws RenderFailed with all errors of the first stage that has any: checking, rendering
   */
  public SortedMap<String, String> render(
      Map<String, String> templates, Map<String, Object> variables) throws RenderFailed {
    var directory = new TemplateDirectory(new TreeMap<>(templates));
    stopIf(prepared(directory).problems());
    var sorted = SortedVariables.of(variables);
    var problems = new ArrayList<RenderProblem>();
    var rendered = new TreeMap<String, String>();
    for (var name : directory.files().keySet()) {
      try {
        rendered.put(name, engine(name).render(directory, name, sorted));
      } catch (RenderFailed e) {
        problems.addAll(e.problems());
      }
    }
    stopIf(problems);
    return rendered;
  }

  /** Not computed within the cache, since roles would wait for each other. */
  private Prepared prepared(TemplateDirectory directory) {
    var digest = directory.digest();
    var known = prepared.getIfPresent(digest);
    if (known == null) {
      known = prepare(directory);
      prepared.put(digest, known);
    }
    return known;
  }

  /** Checks all templates and recipes; gives the same result for the same files. */
  private Prepared prepare(TemplateDirectory directory) {
    var problems = new ArrayList<RenderProblem>();
    var recipes = new ArrayList<Recipe>();
    for (var name : directory.files().keySet()) {
      try {
        if (TemplateDirectory.isRecipe(name)) {
          recipes.add(Recipe.parse(name, directory.files().get(name), directory));
        } else {
          problems.addAll(check(directory, name));
        }
      } catch (RenderFailed e) {
        problems.addAll(e.problems());
      }
    }
    return new Prepared(recipes, problems);
  }

  /** Read only if a recipe needs it, so that an error there affects no other role. */
  private LogDirectories logDirectories(List<Recipe> recipes) throws RenderFailed {
    return recipes.stream().anyMatch(Recipe::looksAtLogs)
        ? LogDirectories.read(config.resolve("sandbox"), limits)
        : LogDirectories.NONE;
  }

  private List<RenderProblem> check(TemplateDirectory directory, String name) {
    var missing = TemplateLanguages.missing(name);
    return missing.isPresent()
        ? List.of(RenderProblem.of(name, missing.get()))
        : engine(name).check(directory, name);
  }

  /** For a template that passed {@link #check}. */
  private TemplateEngine engine(String template) {
    return engines.computeIfAbsent(
        TemplateLanguages.of(template).orElseThrow(), language -> language.engine(limits));
  }

  private List<Rendered.Part> parts(
      TemplateDirectory directory, List<Recipe> recipes, Map<String, Object> variables)
      throws RenderFailed {
    var problems = new ArrayList<RenderProblem>();
    var parts = new ArrayList<Rendered.Part>();
    for (var recipe : recipes) {
      SortedMap<String, String> files = new TreeMap<>(Text.BY_CODE_POINT);
      for (var template : recipe.templates().entrySet()) {
        try {
          var path = template.getValue().path();
          files.put(template.getKey(), engine(path).render(directory, path, variables));
        } catch (RenderFailed e) {
          problems.addAll(e.problems());
        }
      }
      parts.add(new Rendered.Part(recipe, files));
    }
    stopIf(problems);
    return parts;
  }

  private static void stopIf(List<RenderProblem> problems) throws RenderFailed {
    if (!problems.isEmpty()) {
      throw new RenderFailed(problems);
    }
  }
}
