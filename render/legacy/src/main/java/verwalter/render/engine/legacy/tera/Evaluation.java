package verwalter.render.engine.legacy.tera;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import verwalter.render.engine.legacy.tera.TeraExpression.Call;
import verwalter.render.engine.legacy.tera.TeraExpression.Filtered;
import verwalter.render.engine.legacy.tera.TeraExpression.Function;
import verwalter.render.engine.legacy.tera.TeraExpression.Items;
import verwalter.render.engine.legacy.tera.TeraExpression.Literal;
import verwalter.render.engine.legacy.tera.TeraExpression.Logic;
import verwalter.render.engine.legacy.tera.TeraExpression.MacroCall;
import verwalter.render.engine.legacy.tera.TeraExpression.Member;
import verwalter.render.engine.legacy.tera.TeraExpression.Minus;
import verwalter.render.engine.legacy.tera.TeraExpression.Name;
import verwalter.render.engine.legacy.tera.TeraExpression.Not;
import verwalter.render.engine.legacy.tera.TeraExpression.Operation;
import verwalter.render.engine.legacy.tera.TeraExpression.Super;
import verwalter.render.engine.legacy.tera.TeraExpression.Test;

/** Evaluates expressions. Strict: an undefined name is an error. */
final class Evaluation {
  private static final String CONTEXT = "__tera_context";

  private final TeraRendering rendering;
  private final RenderBudget budget;

  Evaluation(TeraRendering rendering, RenderBudget budget) {
    this.rendering = rendering;
    this.budget = budget;
  }

  @Nullable Object value(TeraExpression expression) {
    budget.enter();
    try {
      return evaluated(expression);
    } catch (TemplateError e) {
      throw e.in(rendering.source(), expression.at());
    } finally {
      budget.leave();
    }
  }

  private @Nullable Object evaluated(TeraExpression expression) {
    if (expression instanceof Literal literal) {
      return literal.value();
    } else if (expression instanceof Name name) {
      return named(name);
    } else if (expression instanceof Member member) {
      return member(member);
    } else if (expression instanceof Filtered filtered) {
      return filtered(filtered);
    } else if (expression instanceof Operation operation) {
      var left = value(operation.left());
      return operation.operator().apply(left, value(operation.right()), budget);
    } else if (expression instanceof Test test) {
      return test(test) != test.negated();
    } else if (expression instanceof Logic || expression instanceof Not) {
      return isTrue(expression);
    } else if (expression instanceof Minus minus) {
      return TeraOperator.MINUS.apply(0L, value(minus.operand()), budget);
    } else if (expression instanceof Items items) {
      var list = new ArrayList<@Nullable Object>();
      items.items().forEach(each -> list.add(value(each)));
      return budget.paid(list);
    } else if (expression instanceof Function range) {
      return range(range.call());
    } else if (expression instanceof MacroCall macro) {
      return rendering.macro(macro);
    } else {
      return rendering.parent((Super) expression);
    }
  }

  /** The value as a condition; an undefined name is false. */
  boolean isTrue(TeraExpression expression) {
    budget.enter();
    try {
      if (expression instanceof Logic logic) {
        boolean left = isTrue(logic.left());
        return left == logic.and() ? isTrue(logic.right()) : left;
      }
      if (expression instanceof Not not) {
        return !isTrue(not.operand());
      }
      return isPath(expression)
          ? optional(expression)
              .filter(Optional::isPresent)
              .map(Optional::get)
              .map(TeraValues::isTrue)
              .orElse(false)
          : TeraValues.isTrue(value(expression));
    } finally {
      budget.leave();
    }
  }

  private static boolean isPath(TeraExpression expression) {
    return expression instanceof Name
        || expression instanceof Member
        || expression instanceof Filtered;
  }

  /** Empty if undefined; an empty inner value if null. */
  private Optional<Optional<Object>> optional(TeraExpression expression) {
    try {
      return Optional.of(Optional.ofNullable(value(expression)));
    } catch (TemplateError.Undefined e) {
      return Optional.empty();
    }
  }

  private @Nullable Object named(Name name) {
    var scope = rendering.scope();
    var holder = scope.holder(name.name());
    if (holder.isPresent()) {
      return holder.get().get(name.name());
    }
    if (name.name().equals(CONTEXT)) {
      return TeraJson.of(scope.context(), true, budget);
    }
    throw undefined(name.at(), name.name(), scope::names);
  }

  private TemplateError undefined(int at, String name, Supplier<Collection<String>> known) {
    return rendering.source().undefined(at, "undefined variable `" + name + "`", name, known);
  }

  private @Nullable Object member(Member member) {
    var whole = value(member.of());
    var key = value(member.key());
    if (whole instanceof Map<?, ?> map) {
      var name = TeraValues.text(key, budget);
      if (!map.containsKey(name)) {
        throw undefined(member.at(), name, () -> Filters.names(map));
      }
      return map.get(name);
    }
    if (whole instanceof List<?> list && key instanceof Long index) {
      if (index < 0 || index >= list.size()) {
        throw absent(member, "there is no item " + index + " in a list of " + list.size());
      }
      return list.get(index.intValue());
    }
    throw absent(
        member, "there is no `" + TeraValues.text(key, budget) + "` in " + TeraValues.type(whole));
  }

  private TemplateError absent(Member member, String text) {
    return rendering.source().undefined(member.at(), text, "", List::of);
  }

  private @Nullable Object filtered(Filtered filtered) {
    var call = filtered.call();
    if (call.name().equals("default")) {
      var input = optional(filtered.input());
      return input.isEmpty() ? arguments(call, null).any("value") : input.get().orElse(null);
    }
    return filter(filtered.at(), call, value(filtered.input()));
  }

  /** Applies a filter that is known to exist. */
  @Nullable Object filter(int at, Call call, @Nullable Object value) {
    var filter = Filters.ALL.get(call.name());
    try {
      return filter == null ? value : filter.body().apply(arguments(call, value));
    } catch (TemplateError e) {
      throw e.in(rendering.source(), at);
    } catch (Filters.Absent e) {
      throw undefined(at, e.key(), () -> Filters.names(e.map()));
    }
  }

  private Arguments arguments(Call call, @Nullable Object value) {
    var named = new HashMap<String, @Nullable Object>();
    call.arguments().forEach((name, argument) -> named.put(name, value(argument)));
    return new Arguments(call.name(), value, named, budget);
  }

  private boolean test(Test test) {
    if (test.test().equals("defined") || test.test().equals("undefined")) {
      return optional(test.input()).isPresent() == test.test().equals("defined");
    }
    var known = Tests.ALL.get(test.test());
    var arguments = new ArrayList<@Nullable Object>();
    var value = value(test.input());
    test.arguments().forEach(argument -> arguments.add(value(argument)));
    return known != null && known.body().holds(value, arguments, budget);
  }

  private Object range(Call call) {
    var arguments = arguments(call, null);
    long start = arguments.integer("start", 0);
    long end = arguments.integer("end");
    long step = arguments.integer("step_by", 1);
    if (step < 1) {
      throw new TemplateError("the step of `range` is at least 1");
    }
    if (start > end) {
      throw new TemplateError("`range` cannot count from " + start + " down to " + end);
    }
    var numbers = new ArrayList<Long>();
    for (long number = start; number < end; number += step) {
      if (numbers.size() == budget.bounds().range()) {
        throw new RenderBudget.Exhausted(
            "`range` counts more than " + budget.bounds().range() + " numbers");
      }
      numbers.add(number);
      if (end - number <= step && end - number >= 0) {
        break;
      }
    }
    return budget.paid(numbers);
  }
}
