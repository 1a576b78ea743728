package verwalter.render.engine.jinja;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.hubspot.jinjava.Jinjava;
import com.hubspot.jinjava.JinjavaConfig;
import com.hubspot.jinjava.LegacyOverrides;
import com.hubspot.jinjava.el.JinjavaProcessors;
import com.hubspot.jinjava.interpret.Context;
import com.hubspot.jinjava.interpret.InterpretException;
import com.hubspot.jinjava.interpret.InvalidArgumentException;
import com.hubspot.jinjava.interpret.InvalidInputException;
import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.interpret.TemplateError;
import com.hubspot.jinjava.tree.Node;
import java.io.FileNotFoundException;
import java.util.List;
import java.util.Map;
import verwalter.render.RenderFailed;
import verwalter.render.RenderProblem;
import verwalter.render.Text;
import verwalter.render.engine.Limits;
import verwalter.render.engine.Nearest;
import verwalter.render.engine.TemplateDirectory;
import verwalter.render.engine.TemplateEngine;

/**
 * Renders Jinja templates. Strict: printing or looping over an undefined name is an error.
 * Templates include only each other, by path in the directory. Functions that depend on time or
 * randomness are not available.
 */
final class JinjaEngine implements TemplateEngine {
  private static final int COMPILED = 1000;

  /** The number of steps from which a rendering counts as large. */
  private static final int MANY = 50_000;

  private final Limits limits;
  private final Jinjava jinjava;
  private final GlobalContexts globals;
  private final Cache<Key, Parsed> parsed = Caffeine.newBuilder().maximumSize(COMPILED).build();

  private record Key(String template, String sha256) {}

  private record Parsed(Node root, List<RenderProblem> problems) {}

  JinjaEngine(Limits limits) {
    this.limits = limits;
    this.jinjava = new StrictJinjava(config(limits));
    this.globals = new GlobalContexts(jinjava);
    jinjava.setResourceLocator(
        (name, charset, interpreter) -> include(name, StrictInterpreter.of(interpreter)));
    jinjava.registerTag(new StrictFor());
    jinjava.registerTag(new FilterTag());
    jinjava.registerTag(new WithTag());
    jinjava.registerTag(new PrintTag());
    List.of("cycle", "ifchanged", "unless")
        .forEach(name -> jinjava.registerTag(new UnsupportedTag(name)));
    JinjaFilters.ALL.forEach(jinjava::registerFilter);
    JinjaTest.ALL.forEach(jinjava.getGlobalContext()::registerExpTest);
    jinjava.registerFunction(JinjaFunctions.range());
  }

  private static JinjavaConfig config(Limits limits) {
    return JinjavaConfig.newBuilder()
        .withNestedInterpretationEnabled(false)
        .withKeepTrailingNewline(true)
        .withMaxOutputSize(limits.output())
        .withMaxStringLength(limits.text())
        .withMaxListSize(limits.collection())
        .withMaxMapSize(limits.collection())
        .withRangeLimit(limits.range())
        .withMaxRenderDepth(limits.depth())
        .withMaxMacroRecursionDepth(limits.depth())
        .withEnableRecursiveMacroCalls(true)
        .withDisabled(JinjaVocabulary.DISABLED)
        .withElResolver(new StrictProperties())
        .withInterperterFactory(new StrictInterpreter.Factory())
        .withProcessors(
            JinjavaProcessors.newBuilder()
                .withNodePreProcessor((node, in) -> StrictInterpreter.of(in).entering(node))
                .withNodePostProcessor((node, in) -> StrictInterpreter.of(in).leaving(node))
                .build())
        .withLegacyOverrides(
            LegacyOverrides.newBuilder()
                .withEvaluateMapKeys(true)
                .withIterateOverMapKeys(true)
                .withUseNaturalOperatorPrecedence(true)
                .withUseTrimmingForNotesAndExpressions(true)
                .withParseWhitespaceControlStrictly(true)
                .withAllowAdjacentTextNodes(true)
                .build())
        .build();
  }

  private String include(String name, StrictInterpreter interpreter) throws FileNotFoundException {
    return interpreter
        .included(name)
        .map(JinjaDialect::toJinjava)
        .orElseThrow(
            () ->
                new FileNotFoundException(
                    "there is no template `"
                        + name
                        + "` in the template directory"
                        + Nearest.hint(name, interpreter.directory().files().keySet())));
  }

  @Override
  public List<RenderProblem> check(TemplateDirectory directory, String template) {
    return parsed(directory, template).problems();
  }

  private Parsed parsed(TemplateDirectory directory, String template) {
    var text = directory.file(template).orElseThrow();
    return parsed.get(
        new Key(template, Text.sha256(Text.bytes(text))),
        key ->
            globals.with(
                global ->
                    parsed(interpreter(global, directory, template, Map.of()), template, text),
                parsed -> true));
  }

  private static Parsed parsed(StrictInterpreter interpreter, String template, String text) {
    var tooDeep = NestingLimit.problem(template, text);
    try (var current = JinjavaInterpreter.closeablePushCurrent(interpreter).get()) {
      var code = tooDeep.isPresent() ? "" : JinjaDialect.toJinjava(text);
      var root = current.value().parse(code);
      return new Parsed(root, tooDeep.map(List::of).orElseGet(interpreter::problems));
    } catch (RuntimeException e) {
      var root = interpreter.parse("");
      interpreter.failToParse(e);
      return new Parsed(root, interpreter.problems());
    } catch (StackOverflowError e) {
      var root = interpreter.parse("");
      return new Parsed(root, List.of(RenderProblem.of(template, "is nested too deeply")));
    }
  }

  private StrictInterpreter interpreter(
      Context global, TemplateDirectory directory, String template, Map<String, Object> variables) {
    var context = new StrictContext(global, variables, jinjava.getGlobalConfig().getDisabled());
    return new StrictInterpreter(jinjava, context, directory, template, limits);
  }

  @Override
  public String render(TemplateDirectory directory, String template, Map<String, Object> variables)
      throws RenderFailed {
    var parsed = parsed(directory, template);
    if (!parsed.problems().isEmpty()) {
      throw new RenderFailed(parsed.problems());
    }
    var result =
        globals.with(
            global -> render(parsed.root(), interpreter(global, directory, template, variables)),
            each -> each.steps() < MANY);
    if (!result.problems().isEmpty()) {
      throw new RenderFailed(result.problems());
    }
    return result.text();
  }

  private record Result(String text, List<RenderProblem> problems, long steps) {}

  private static Result render(Node root, StrictInterpreter interpreter) {
    var text = "";
    try {
      text = interpreter.render(root);
    } catch (InterpretException | InvalidArgumentException | InvalidInputException e) {
      interpreter.fail(TemplateError.fromException(e));
    } catch (StackOverflowError e) {
      interpreter.fail("is nested too deeply");
    } catch (RuntimeException e) {
      interpreter.fail(String.valueOf(e.getMessage()));
    }
    return new Result(text, interpreter.problems(), interpreter.steps());
  }
}
