package verwalter.render.engine.legacy.tera;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import verwalter.render.engine.legacy.tera.TeraExpression.Call;
import verwalter.render.engine.legacy.tera.TeraToken.Kind;

/** Parses expressions. Filters bind tightest, then tests. */
final class Expressions {
  private static final Set<String> COMPARISONS = Set.of("==", "!=", "<", "<=", ">", ">=");
  private static final Set<String> SUMS = Set.of("+", "-");
  private static final Set<String> PRODUCTS = Set.of("*", "/", "%");
  private static final Set<String> RESERVED = Set.of("and", "or", "not", "is", "in", "if", "else");

  private final Words words;

  Expressions(Words words) {
    this.words = words;
  }

  TeraExpression expression() {
    words.enter();
    var left = conjunction();
    while (words.isNext(Kind.NAME, "or")) {
      int at = words.take().at();
      left = new TeraExpression.Logic(at, false, left, conjunction());
    }
    words.leave();
    return left;
  }

  private TeraExpression conjunction() {
    var left = negation();
    while (words.isNext(Kind.NAME, "and")) {
      int at = words.take().at();
      left = new TeraExpression.Logic(at, true, left, negation());
    }
    return left;
  }

  private TeraExpression negation() {
    if (!words.isNext(Kind.NAME, "not")) {
      return comparison();
    }
    words.enter();
    var not = new TeraExpression.Not(words.take().at(), negation());
    words.leave();
    return not;
  }

  private TeraExpression comparison() {
    var left = concatenation();
    while (true) {
      var sign = words.peek();
      if (sign.kind() == Kind.SYMBOL && COMPARISONS.contains(sign.text())) {
        words.take();
        left = operation(sign, left, concatenation());
      } else if (sign.is(Kind.NAME, "in")) {
        words.take();
        left = operation(sign, left, concatenation());
      } else if (sign.is(Kind.NAME, "not") && words.second().is(Kind.NAME, "in")) {
        words.take();
        var in = words.take();
        left = new TeraExpression.Not(sign.at(), operation(in, left, concatenation()));
      } else {
        return left;
      }
    }
  }

  private TeraExpression concatenation() {
    var left = sum();
    while (words.isNext(Kind.SYMBOL, "~")) {
      left = operation(words.take(), left, sum());
    }
    return left;
  }

  private TeraExpression sum() {
    var left = product();
    while (isOne(SUMS)) {
      left = operation(words.take(), left, product());
    }
    return left;
  }

  private TeraExpression product() {
    var left = unary();
    while (isOne(PRODUCTS)) {
      left = operation(words.take(), left, unary());
    }
    return left;
  }

  private boolean isOne(Set<String> signs) {
    return words.peek().kind() == Kind.SYMBOL && signs.contains(words.peek().text());
  }

  private static TeraExpression operation(
      TeraToken sign, TeraExpression left, TeraExpression right) {
    return new TeraExpression.Operation(sign.at(), TeraOperator.of(sign.text()), left, right);
  }

  private TeraExpression unary() {
    if (!words.isNext(Kind.SYMBOL, "-")) {
      return tested();
    }
    words.enter();
    var minus = new TeraExpression.Minus(words.take().at(), unary());
    words.leave();
    return minus;
  }

  private TeraExpression tested() {
    var value = filtered();
    while (words.isNext(Kind.NAME, "is")) {
      int at = words.take().at();
      value = test(at, value, words.acceptWord("not"));
    }
    return value;
  }

  private TeraExpression test(int at, TeraExpression value, boolean negated) {
    var name = words.peek();
    words.take(Kind.NAME, "the name of a test");
    var test = Tests.ALL.get(name.text());
    if (test == null) {
      throw words
          .source()
          .unknown(
              name.at(), "there is no test `" + name.text() + "`", name.text(), Tests.ALL.keySet());
    }
    var arguments = new ArrayList<TeraExpression>();
    if (words.acceptSymbol("(")) {
      while (!words.acceptSymbol(")")) {
        if (words.peek().kind() == Kind.NAME && words.second().is(Kind.SYMBOL, "=")) {
          words.take();
          words.take();
        }
        arguments.add(expression());
        separator(")");
      }
    } else if (test.parameters() == 1) {
      arguments.add(filtered());
    }
    if (arguments.size() != test.parameters()) {
      throw words
          .source()
          .error(
              name.at(),
              "the test `%s` takes %d arguments, not %d"
                  .formatted(name.text(), test.parameters(), arguments.size()));
    }
    return new TeraExpression.Test(at, value, negated, name.text(), arguments);
  }

  private TeraExpression filtered() {
    var value = member();
    while (words.isNext(Kind.SYMBOL, "|")) {
      words.take();
      int at = words.peek().at();
      value = new TeraExpression.Filtered(at, value, filter());
    }
    return value;
  }

  /** A filter's name with its arguments, if any. */
  Call filter() {
    var name = words.peek();
    words.take(Kind.NAME, "the name of a filter");
    var filter = Filters.ALL.get(name.text());
    if (filter == null) {
      throw words
          .source()
          .unknown(
              name.at(),
              "there is no filter `" + name.text() + "`",
              name.text(),
              Filters.ALL.keySet());
    }
    var call =
        words.isNext(Kind.SYMBOL, "(")
            ? new Call(name.text(), arguments())
            : new Call(name.text(), Map.of());
    knownArguments(name, call, filter.parameters());
    return call;
  }

  private void knownArguments(TeraToken name, Call call, List<String> known) {
    for (var argument : call.arguments().keySet()) {
      if (!known.contains(argument)) {
        throw words
            .source()
            .unknown(
                name.at(),
                "`" + name.text() + "` has no argument `" + argument + "`",
                argument,
                known);
      }
    }
  }

  private Map<String, TeraExpression> arguments() {
    var arguments = new LinkedHashMap<String, TeraExpression>();
    words.symbol("(");
    while (!words.acceptSymbol(")")) {
      var token = words.peek();
      var name = words.take(Kind.NAME, "the name of an argument");
      words.symbol("=");
      if (arguments.put(name, expression()) != null) {
        throw words.source().error(token.at(), "the argument `" + name + "` is given twice");
      }
      separator(")");
    }
    return arguments;
  }

  private void separator(String end) {
    if (!words.isNext(Kind.SYMBOL, end)) {
      words.symbol(",");
    }
  }

  private TeraExpression member() {
    var value = primary();
    while (true) {
      var sign = words.peek();
      if (words.acceptSymbol(".")) {
        value = new TeraExpression.Member(words.peek().at(), value, property());
      } else if (words.acceptSymbol("[")) {
        value = new TeraExpression.Member(sign.at(), value, expression());
        words.symbol("]");
      } else {
        return value;
      }
    }
  }

  private TeraExpression property() {
    var token = words.peek();
    if (token.kind() == Kind.NUMBER) {
      return number(words.take());
    }
    return new TeraExpression.Literal(token.at(), words.take(Kind.NAME, "a name or an index"));
  }

  private TeraExpression primary() {
    var token = words.peek();
    return switch (token.kind()) {
      case STRING -> new TeraExpression.Literal(token.at(), words.take().text());
      case NUMBER -> number(words.take());
      case NAME -> named(words.take());
      default -> bracketed(token);
    };
  }

  private TeraExpression bracketed(TeraToken token) {
    if (words.acceptSymbol("(")) {
      var inner = expression();
      words.symbol(")");
      return inner;
    }
    if (words.acceptSymbol("[")) {
      var items = new ArrayList<TeraExpression>();
      while (!words.acceptSymbol("]")) {
        items.add(expression());
        separator("]");
      }
      return new TeraExpression.Items(token.at(), items);
    }
    throw words.unexpected("a value");
  }

  private TeraExpression number(TeraToken token) {
    if (token.text().contains(".")) {
      return new TeraExpression.Literal(token.at(), Double.valueOf(token.text()));
    }
    if (token.text().length() > 19 || new BigInteger(token.text()).bitLength() >= Long.SIZE) {
      throw words.source().error(token.at(), "the number is too large");
    }
    return new TeraExpression.Literal(token.at(), Long.valueOf(token.text()));
  }

  private TeraExpression named(TeraToken name) {
    int at = name.at();
    switch (name.text()) {
      case "true", "True" -> {
        return new TeraExpression.Literal(at, true);
      }
      case "false", "False" -> {
        return new TeraExpression.Literal(at, false);
      }
      default -> {
        if (RESERVED.contains(name.text())) {
          throw words.source().error(at, "a value is wanted here, not " + name.shown());
        }
      }
    }
    if (words.acceptSymbol("::")) {
      var macro = words.take(Kind.NAME, "the name of a macro");
      return new TeraExpression.MacroCall(at, name.text(), new Call(macro, arguments()));
    }
    return words.isNext(Kind.SYMBOL, "(")
        ? function(name)
        : new TeraExpression.Name(at, name.text());
  }

  private TeraExpression function(TeraToken name) {
    var arguments = arguments();
    if (name.text().equals("super") && arguments.isEmpty()) {
      return new TeraExpression.Super(name.at());
    }
    if (!name.text().equals("range")) {
      throw words
          .source()
          .unknown(
              name.at(),
              "there is no function `" + name.text() + "`",
              name.text(),
              List.of("range", "super"));
    }
    var call = new Call(name.text(), arguments);
    knownArguments(name, call, List.of("start", "end", "step_by"));
    return new TeraExpression.Function(name.at(), call);
  }
}
