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

  private final Scanner scanner;
  private Token token;
  private int brackets;

  /**
   * @param line whether the expression ends with its line, and not with braces
   */
  ExpressionReader(Source source, int at, boolean line) {
    this.scanner = new Scanner(source, at, line);
    this.token = scanner.next();
  }

  /** The next token. */
  Token token() {
    return token;
  }

  Token take() {
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
      throw new Failure(token.at(), "`" + word + "` is expected here, not " + token);
    }
  }

  String name() {
    if (token.kind() != Token.Kind.NAME || RESERVED.contains(token.text())) {
      throw new Failure(token.at(), "a name is expected here, not " + token);
    }
    return take().text();
  }

  /** Checks that the expression ends here; consumes no token, since text may follow. */
  Token end() {
    if (token.kind() != Token.Kind.END) {
      throw new Failure(token.at(), token + " is not expected here");
    }
    return token;
  }

  Expression expression() {
    return any();
  }

  private Expression any() {
    var parts = chain("or", this::all);
    return parts.size() == 1 ? parts.get(0) : new Logic.Or(parts);
  }

  private Expression all() {
    var parts = chain("and", this::comparison);
    return parts.size() == 1 ? parts.get(0) : new Logic.And(parts);
  }

  private List<Expression> chain(String word, Supplier<Expression> part) {
    var parts = new ArrayList<Expression>();
    do {
      parts.add(part.get());
    } while (took(word));
    return List.copyOf(parts);
  }

  private Expression comparison() {
    var links = links(COMPARISONS, this::sum);
    return links.size() == 1 ? links.get(0).right() : new Comparison(links);
  }

  private Expression sum() {
    var links = links(Set.of("+", "-"), this::product);
    return links.size() == 1 ? links.get(0).right() : new Calculation(links);
  }

  private Expression product() {
    var links = links(Set.of("*", "/", "%"), this::unary);
    return links.size() == 1 ? links.get(0).right() : new Calculation(links);
  }

  /** The operator of the first link is ignored. */
  private List<Link> links(Set<String> signs, Supplier<Expression> part) {
    var links = new ArrayList<Link>();
    links.add(new Link("", token.at(), part.get()));
    while (token.kind() == Token.Kind.SIGN && signs.contains(token.text())) {
      var sign = take();
      links.add(new Link(sign.text(), sign.at(), part.get()));
    }
    return List.copyOf(links);
  }

  private Expression unary() {
    return took("not") ? new Logic.Not(access()) : access();
  }

  private Expression access() {
    var atom = atom();
    var steps = new ArrayList<Expression.Step>();
    while (token.is(".") || token.is("[")) {
      if (took(".")) {
        var name = token;
        if (name.kind() != Token.Kind.NAME) {
          throw new Failure(name.at(), "a name is expected behind the dot, not " + name);
        }
        take();
        steps.add(new Expression.Step(new Expression.Constant(name.text()), name.at()));
      } else {
        int at = take().at();
        steps.add(new Expression.Step(nested(at, this::expression), at));
        expect("]");
      }
    }
    return steps.isEmpty() ? atom : new Expression.Access(atom, List.copyOf(steps));
  }

  private Expression atom() {
    return switch (token.kind()) {
      case NAME -> new Expression.Variable(token.at(), name());
      case NUMBER -> new Expression.Constant(Numbers.parse(take()));
      case STRING -> new Expression.Constant(take().text());
      default -> bracket();
    };
  }

  private Expression bracket() {
    int at = token.at();
    if (took("(")) {
      var inner = nested(at, this::expression);
      expect(")");
      return inner;
    }
    if (took("[")) {
      return nested(at, () -> new Expression.Items(at, upTo("]", this::expression)));
    }
    if (took("{")) {
      return nested(at, () -> new Expression.Entries(at, upTo("}", this::entry)));
    }
    throw new Failure(at, "an expression is expected here, not " + token);
  }

  private Expression.Entry entry() {
    int at = token.at();
    var key = expression();
    expect(":");
    return new Expression.Entry(at, key, expression());
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
      throw new Failure(at, "brackets are nested more than " + BRACKETS + " deep");
    }
    var result = inner.get();
    brackets--;
    return result;
  }
}
