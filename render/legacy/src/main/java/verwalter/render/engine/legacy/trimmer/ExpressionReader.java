package verwalter.render.engine.legacy.trimmer;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** Parses one expression by the grammar of Trimmer 0.3. Chains are lists, so only brackets nest. */
final class ExpressionReader {
  private static final int BRACKETS = 50;
  private static final Set<String> RESERVED = Set.of("and", "or", "not", "in");
  private static final Set<String> COMPARISONS = Set.of("==", "!=", "<", "<=", ">", ">=");

  private final TrimmerScanner scanner;
  private TrimmerToken token;
  private int brackets;

  /**
   * @param line whether the expression ends with its line, and not with braces
   */
  ExpressionReader(TrimmerSource source, int at, boolean line) {
    this.scanner = new TrimmerScanner(source, at, line);
    this.token = scanner.next();
  }

  /** The next token. */
  TrimmerToken token() {
    return token;
  }

  TrimmerToken take() {
    var taken = token;
    token = scanner.next();
    return taken;
  }

  /** Consumes the next token if it is this one. */
  boolean took(String word) {
    if (token.is(word)) {
      take();
      return true;
    }
    return false;
  }

  void expect(String word) {
    if (!took(word)) {
      throw new FailureAt(token.at(), "`" + word + "` is expected here, not " + token);
    }
  }

  String name() {
    if (token.kind() != TrimmerToken.Kind.NAME || RESERVED.contains(token.text())) {
      throw new FailureAt(token.at(), "a name is expected here, not " + token);
    }
    return take().text();
  }

  /** Checks that the expression ends here; consumes no token, since text may follow. */
  TrimmerToken end() {
    if (token.kind() != TrimmerToken.Kind.END) {
      throw new FailureAt(token.at(), token + " is not expected here");
    }
    return token;
  }

  TrimmerExpression expression() {
    return any();
  }

  private TrimmerExpression any() {
    var parts = chain("or", this::all);
    return parts.size() == 1 ? parts.get(0) : new TrimmerLogic.Or(parts);
  }

  private TrimmerExpression all() {
    var parts = chain("and", this::comparison);
    return parts.size() == 1 ? parts.get(0) : new TrimmerLogic.And(parts);
  }

  private List<TrimmerExpression> chain(String word, Supplier<TrimmerExpression> part) {
    var parts = new ArrayList<TrimmerExpression>();
    do {
      parts.add(part.get());
    } while (took(word));
    return List.copyOf(parts);
  }

  private TrimmerExpression comparison() {
    var links = links(COMPARISONS, this::sum);
    return links.size() == 1 ? links.get(0).right() : new TrimmerComparison(links);
  }

  private TrimmerExpression sum() {
    var links = links(Set.of("+", "-"), this::product);
    return links.size() == 1 ? links.get(0).right() : new Calculation(links);
  }

  private TrimmerExpression product() {
    var links = links(Set.of("*", "/", "%"), this::unary);
    return links.size() == 1 ? links.get(0).right() : new Calculation(links);
  }

  /** The operator of the first link is ignored. */
  private List<Link> links(Set<String> signs, Supplier<TrimmerExpression> part) {
    var links = new ArrayList<Link>();
    links.add(new Link("", token.at(), part.get()));
    while (token.kind() == TrimmerToken.Kind.SIGN && signs.contains(token.text())) {
      var sign = take();
      links.add(new Link(sign.text(), sign.at(), part.get()));
    }
    return List.copyOf(links);
  }

  private TrimmerExpression unary() {
    return took("not") ? new TrimmerLogic.Not(access()) : access();
  }

  private TrimmerExpression access() {
    var atom = atom();
    var steps = new ArrayList<TrimmerExpression.Step>();
    while (token.is(".") || token.is("[")) {
      if (took(".")) {
        var name = token;
        if (name.kind() != TrimmerToken.Kind.NAME) {
          throw new FailureAt(name.at(), "a name is expected behind the dot, not " + name);
        }
        take();
        steps.add(
            new TrimmerExpression.Step(new TrimmerExpression.Constant(name.text()), name.at()));
      } else {
        int at = take().at();
        steps.add(new TrimmerExpression.Step(nested(at, this::expression), at));
        expect("]");
      }
    }
    return steps.isEmpty() ? atom : new TrimmerExpression.Access(atom, List.copyOf(steps));
  }

  private TrimmerExpression atom() {
    return switch (token.kind()) {
      case NAME -> new TrimmerExpression.Variable(token.at(), name());
      case NUMBER -> new TrimmerExpression.Constant(TrimmerNumbers.parse(take()));
      case STRING -> new TrimmerExpression.Constant(take().text());
      default -> bracket();
    };
  }

  private TrimmerExpression bracket() {
    int at = token.at();
    if (took("(")) {
      var inner = nested(at, this::expression);
      expect(")");
      return inner;
    }
    if (took("[")) {
      return nested(at, () -> new TrimmerExpression.Items(at, upTo("]", this::expression)));
    }
    if (took("{")) {
      return nested(at, () -> new TrimmerExpression.Entries(at, upTo("}", this::entry)));
    }
    throw new FailureAt(at, "an expression is expected here, not " + token);
  }

  private TrimmerExpression.Entry entry() {
    int at = token.at();
    var key = expression();
    expect(":");
    return new TrimmerExpression.Entry(at, key, expression());
  }

  /** Expressions separated by commas, with an optional trailing comma. */
  private <T> List<T> upTo(String end, Supplier<T> part) {
    var parts = new ArrayList<T>();
    while (!took(end)) {
      parts.add(part.get());
      if (!took(",")) {
        expect(end);
        break;
      }
    }
    return List.copyOf(parts);
  }

  private <T> T nested(int at, Supplier<T> inner) {
    if (++brackets > BRACKETS) {
      throw new FailureAt(at, "brackets are nested more than " + BRACKETS + " deep");
    }
    var result = inner.get();
    brackets--;
    return result;
  }
}
