package verwalter.render.engine.legacy.tera;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import verwalter.render.RenderFailed;
import verwalter.render.RenderProblem;
import verwalter.render.engine.legacy.tera.TeraExpression.MacroCall;
import verwalter.render.engine.legacy.tera.TeraExpression.Super;

/**
 * One rendering of one template: runs its nodes, and the templates that they include, call and
 * extend.
 */
final class TeraRendering {
  private static final int MAX_ERRORS = 50;

  private final TeraTemplates templates;
  private final RenderBudget budget;
  private final Evaluation evaluation;
  private final List<RenderProblem> problems = new ArrayList<>();
  private Place place;
  private TeraScope scope;
  private Output output;

  /** How a node ended. */
  private enum Flow {
    ON,
    CONTINUE,
    BREAK
  }

  /**
   * The code that is running.
   *
   * @param family the rendered template and its ancestors
   * @param level of the running block, as index in the family
   */
  private record Place(Template template, List<Template> family, int level, String block) {}

  TeraRendering(
      TeraTemplates templates, TeraBounds bounds, Template template, Map<String, Object> variables)
      throws RenderFailed {
    this.templates = templates;
    this.budget = new RenderBudget(bounds);
    this.evaluation = new Evaluation(this, budget);
    this.scope = TeraScope.of(variables);
    this.output = new Output(bounds.output());
    this.place = place(templates.family(template));
  }

  private static Place place(List<Template> family) {
    return new Place(family.get(family.size() - 1), family, 0, "");
  }

  String text() throws RenderFailed {
    try {
      run(place.template().body());
    } catch (RenderBudget.Exhausted e) {
      problems.add(new RenderProblem(source().file(), 0, 0, String.valueOf(e.getMessage())));
    } catch (TemplateError e) {
      problems.add(e.problem());
    }
    if (!problems.isEmpty()) {
      throw new RenderFailed(problems);
    }
    return output.toString();
  }

  TeraSource source() {
    return place.template().source();
  }

  TeraScope scope() {
    return scope;
  }

  private Flow run(List<TeraNode> nodes) {
    for (var node : nodes) {
      budget.enter();
      try {
        var flow = run(node);
        if (flow != Flow.ON) {
          return flow;
        }
      } catch (TemplateError e) {
        remember(e);
      } finally {
        budget.leave();
      }
    }
    return Flow.ON;
  }

  /** Continues after an error, up to a limit, so that all errors are reported at once. */
  private void remember(TemplateError wrong) {
    if (problems.contains(wrong.problem())) {
      budget.take(budget.bounds().steps() / 1000);
      return;
    }
    if (problems.size() == MAX_ERRORS) {
      throw new RenderBudget.Exhausted("has more errors than are shown");
    }
    problems.add(wrong.problem());
  }

  private Flow run(TeraNode node) {
    if (node instanceof TeraNode.Text text) {
      print(text.text());
    } else if (node instanceof TeraNode.Output printed) {
      TeraValues.print(evaluation.value(printed.expression()), this::print);
    } else if (node instanceof TeraNode.If condition) {
      return condition(condition);
    } else if (node instanceof TeraNode.For loop) {
      return loop(loop);
    } else if (node instanceof TeraNode.Set set) {
      assign(set);
    } else if (node instanceof TeraNode.Include include) {
      include(include);
    } else if (node instanceof TeraNode.Block block) {
      block(block.name(), place.family(), 0);
    } else if (node instanceof TeraNode.Section section) {
      var text = captured(() -> run(section.body()));
      TeraValues.print(evaluation.filter(section.at(), section.filter(), text), this::print);
    } else {
      return ((TeraNode.Leave) node).loop() ? Flow.BREAK : Flow.CONTINUE;
    }
    return Flow.ON;
  }

  private void print(String text) {
    budget.print(text);
    output.append(text);
  }

  private Flow condition(TeraNode.If condition) {
    for (var branch : condition.branches()) {
      if (evaluation.isTrue(branch.condition())) {
        return trimmed(() -> run(branch.body()));
      }
    }
    return trimmed(() -> run(condition.otherwise()));
  }

  /** Without surrounding white space, as 0.10 prints conditions, loops and inclusions. */
  private Flow trimmed(Supplier<Flow> code) {
    int start = output.length();
    var flow = withoutLeadingSpace(code);
    output.trimEnd(start);
    return flow;
  }

  private Flow withoutLeadingSpace(Supplier<Flow> code) {
    int before = output.begin();
    try {
      return code.get();
    } finally {
      output.end(before);
    }
  }

  private void assign(TeraNode.Set set) {
    @Nullable Object value = null;
    try {
      value = evaluation.value(set.value());
    } catch (TemplateError e) {
      remember(e);
    }
    if (set.global()) {
      scope.setGlobally(set.name(), value);
    } else {
      scope.set(set.name(), value);
    }
  }

  private Flow loop(TeraNode.For loop) {
    var items = evaluation.value(loop.items());
    var outer = scope;
    try {
      if (loop.key().isPresent()) {
        if (!(items instanceof Map<?, ?> map)) {
          throw notIterable(loop, "a map", items);
        }
        return trimmed(() -> turns(loop, map.size(), map.entrySet(), outer));
      }
      if (!(items instanceof List<?> list)) {
        throw notIterable(loop, "a list", items);
      }
      return trimmed(() -> turns(loop, list.size(), list, outer));
    } finally {
      scope = outer;
    }
  }

  private TemplateError notIterable(TeraNode.For loop, String wanted, @Nullable Object items) {
    var names = loop.key().isPresent() ? "two names go" : "one name goes";
    return source()
        .error(loop.items().at(), names + " through " + wanted + ", not " + TeraValues.type(items));
  }

  private Flow turns(TeraNode.For loop, int size, Iterable<?> items, TeraScope outer) {
    budget.list(size);
    long index = 0;
    scope = outer.inner(); // one scope for all iterations: the next iteration sees what one sets
    for (var item : items) {
      budget.take(1);
      @Nullable Object value = item;
      if (loop.key().isPresent() && item instanceof Map.Entry<?, ?> entry) {
        scope.set(loop.key().get(), String.valueOf(entry.getKey()));
        value = entry.getValue();
      }
      scope.set(loop.value(), value);
      scope.set("loop", turn(index, size));
      index++;
      if (withoutLeadingSpace(() -> run(loop.body())) == Flow.BREAK) {
        return Flow.ON;
      }
    }
    scope = outer;
    return size == 0 ? run(loop.otherwise()) : Flow.ON;
  }

  private static Map<String, Object> turn(long index, int size) {
    return Map.of(
        "index", index + 1, "index0", index, "first", index == 0, "last", index == size - 1);
  }

  private void include(TeraNode.Include include) {
    var family = templates.family(place.template(), include.template());
    var body = family.get(family.size() - 1).body();
    called(place(family), scope.inner(), () -> trimmed(() -> run(body)));
  }

  /** Runs the first block of that name in the family from this level on. */
  private void block(String name, List<Template> family, int from) {
    for (int level = from; level < family.size(); level++) {
      var template = family.get(level);
      var block = template.blocks().get(name);
      if (block != null) {
        called(new Place(template, family, level, name), scope, () -> run(block.body()));
        return;
      }
    }
  }

  String parent(Super call) {
    if (place.block().isEmpty()) {
      throw source().error(call.at(), "`super()` is only for blocks");
    }
    int from = place.level() + 1;
    var above = place.family().subList(from, place.family().size());
    if (above.stream().noneMatch(template -> template.blocks().containsKey(place.block()))) {
      throw source()
          .error(call.at(), "no parent has a block `" + place.block() + "` for `super()`");
    }
    return captured(() -> block(place.block(), place.family(), from));
  }

  String macro(MacroCall call) {
    var home = home(call);
    var macro = home.macros().get(call.call().name());
    if (macro == null) {
      throw source()
          .unknown(
              call.at(),
              "there is no macro `%s` in `%s`".formatted(call.call().name(), home.source().file()),
              call.call().name(),
              home.macros().keySet());
    }
    for (var name : call.call().arguments().keySet()) {
      if (!macro.parameters().containsKey(name)) {
        throw source()
            .unknown(
                call.at(),
                "the macro `" + call.call().name() + "` has no argument `" + name + "`",
                name,
                macro.parameters().keySet());
      }
    }
    var given = new HashMap<String, @Nullable Object>();
    call.call().arguments().forEach((name, value) -> given.put(name, evaluation.value(value)));
    var text =
        captured(
            () ->
                called(
                    new Place(home, List.of(home), 0, ""),
                    TeraScope.of(Map.of()),
                    () -> body(call, macro, given)));
    return Space.without(text);
  }

  private void body(MacroCall call, TeraNode.Macro macro, Map<String, @Nullable Object> given) {
    macro
        .parameters()
        .forEach(
            (name, fallback) -> {
              if (given.containsKey(name)) {
                scope.set(name, given.get(name));
              } else {
                var value =
                    fallback.orElseThrow(
                        () ->
                            source()
                                .error(
                                    macro.at(),
                                    "the macro `%s` is called without its argument `%s`"
                                        .formatted(call.call().name(), name)));
                scope.set(name, evaluation.value(value));
              }
            });
    run(macro.body());
  }

  /** The template that defines a macro. */
  private Template home(MacroCall call) {
    if (call.namespace().equals("self")) {
      return place.template();
    }
    var imported =
        Optional.ofNullable(place.template().imports().get(call.namespace()))
            .orElseThrow(
                () ->
                    source()
                        .unknown(
                            call.at(),
                            "nothing is imported as `" + call.namespace() + "`",
                            call.namespace(),
                            place.template().imports().keySet()));
    return templates.template(place.template(), imported);
  }

  /** Runs code of another template or block, and then restores the current one. */
  private void called(Place there, TeraScope seen, Runnable code) {
    var here = place;
    var outer = scope;
    budget.call();
    place = there;
    scope = seen;
    try {
      code.run();
    } finally {
      place = here;
      scope = outer;
      budget.back();
    }
  }

  private String captured(Runnable code) {
    var outer = output;
    output = new Output(budget.bounds().text());
    try {
      code.run();
      return budget.paid(output.toString());
    } finally {
      output = outer;
    }
  }
}
