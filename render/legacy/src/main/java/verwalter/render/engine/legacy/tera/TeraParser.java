package verwalter.render.engine.legacy.tera;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import verwalter.render.engine.legacy.tera.TeraToken.Kind;

/** Parses the statements of a template. */
final class TeraParser {
  private static final Set<String> STATEMENTS =
      Set.of(
          "if",
          "for",
          "set",
          "set_global",
          "include",
          "extends",
          "block",
          "import",
          "macro",
          "raw",
          "filter",
          "break",
          "continue");

  private final TeraSource source;
  private final Words words;
  private final Expressions expressions;
  private Optional<TeraNode.Reference> parent = Optional.empty();
  private final Map<String, TeraNode.Reference> imports = new LinkedHashMap<>();
  private final Map<String, TeraNode.Macro> macros = new LinkedHashMap<>();
  private final Map<String, TeraNode.Block> blocks = new LinkedHashMap<>();
  private final List<TeraNode.Reference> inclusions = new ArrayList<>();
  private int statements;
  private int loops;

  TeraParser(TeraSource source) {
    this.source = source;
    this.words = new Words(source);
    this.expressions = new Expressions(words);
  }

  Template template() {
    var body = body(Set.of(), true);
    return new Template(source, parent, imports, macros, blocks, inclusions, body);
  }

  /** The nodes before one of these words, or before the end of the template. */
  private List<TeraNode> body(Set<String> ends, boolean top) {
    words.enter();
    var nodes = new ArrayList<TeraNode>();
    while (!isEnd(ends)) {
      var token = words.peek();
      if (token.kind() == Kind.TEXT) {
        nodes.add(new TeraNode.Text(words.take().text()));
        if (!token.text().isBlank()) {
          statements++;
        }
      } else if (token.is(Kind.OPEN, "{{")) {
        words.take();
        statements++;
        nodes.add(new TeraNode.Output(expressions.expression()));
        words.close("}}");
      } else {
        words.take();
        statement(top).ifPresent(nodes::add);
      }
    }
    words.leave();
    return nodes;
  }

  private boolean isEnd(Set<String> ends) {
    if (words.peek().kind() == Kind.END) {
      if (!ends.isEmpty()) {
        throw words.unexpected("`" + String.join("` or `", new TreeSet<>(ends)) + "`");
      }
      return true;
    }
    return words.isNext(Kind.OPEN, "{%")
        && words.second().kind() == Kind.NAME
        && ends.contains(words.second().text());
  }

  private Optional<TeraNode> statement(boolean top) {
    var name = words.peek();
    words.take(Kind.NAME, "a statement");
    statements++;
    switch (name.text()) {
      case "extends" -> extend(name, top);
      case "import" -> imported(name, top);
      case "macro" -> macro(name, top);
      default -> {
        return Optional.of(node(name));
      }
    }
    return Optional.empty();
  }

  private TeraNode node(TeraToken name) {
    return switch (name.text()) {
      case "if" -> condition();
      case "for" -> loop();
      case "set" -> assignment(false);
      case "set_global" -> assignment(true);
      case "include" -> include();
      case "block" -> block(name);
      case "filter" -> section(name);
      case "break" -> leave(name, true);
      case "continue" -> leave(name, false);
      default ->
          throw source.unknown(
              name.at(), "there is no statement `" + name.text() + "`", name.text(), STATEMENTS);
    };
  }

  private void extend(TeraToken name, boolean top) {
    if (!top || statements > 1) {
      throw source.error(name.at(), "`extends` must be the first thing in a template");
    }
    parent = Optional.of(reference());
    words.close("%}");
  }

  private void imported(TeraToken name, boolean top) {
    onlyAtTop(name, top);
    var reference = reference();
    words.word("as");
    var namespace = words.take(Kind.NAME, "a name");
    if (namespace.equals("self") || imports.put(namespace, reference) != null) {
      throw source.error(name.at(), "the name `" + namespace + "` is taken");
    }
    words.close("%}");
  }

  private void onlyAtTop(TeraToken name, boolean top) {
    if (!top) {
      throw source.error(name.at(), "`" + name.text() + "` cannot be inside of another statement");
    }
  }

  private void macro(TeraToken start, boolean top) {
    onlyAtTop(start, top);
    var name = words.take(Kind.NAME, "a name");
    var parameters = new LinkedHashMap<String, Optional<TeraExpression>>();
    words.symbol("(");
    while (!words.acceptSymbol(")")) {
      var parameter = words.take(Kind.NAME, "a name or `)`");
      Optional<TeraExpression> fallback =
          words.acceptSymbol("=") ? Optional.of(expressions.expression()) : Optional.empty();
      parameters.put(parameter, fallback);
      if (!words.isNext(Kind.SYMBOL, ")")) {
        words.symbol(",");
      }
    }
    words.close("%}");
    int outer = loops;
    loops = 0;
    var body = body(Set.of("endmacro"), false);
    loops = outer;
    end("endmacro", name);
    if (macros.put(name, new TeraNode.Macro(start.at(), parameters, body)) != null) {
      throw source.error(start.at(), "there are two macros `" + name + "`");
    }
  }

  private TeraNode condition() {
    var branches = new ArrayList<TeraNode.Branch>();
    var otherwise = List.<TeraNode>of();
    boolean more = true;
    while (more) {
      var condition = expressions.expression();
      words.close("%}");
      branches.add(new TeraNode.Branch(condition, body(Set.of("elif", "else", "endif"), false)));
      words.take();
      more = words.acceptWord("elif");
    }
    if (words.acceptWord("else")) {
      words.close("%}");
      otherwise = body(Set.of("endif"), false);
      words.take();
    }
    words.word("endif");
    words.close("%}");
    return new TeraNode.If(branches, otherwise);
  }

  private TeraNode loop() {
    var first = words.take(Kind.NAME, "a name");
    Optional<String> key = Optional.empty();
    var value = first;
    if (words.acceptSymbol(",")) {
      key = Optional.of(first);
      value = words.take(Kind.NAME, "a name");
    }
    words.word("in");
    var items = expressions.expression();
    words.close("%}");
    loops++;
    var body = body(Set.of("else", "endfor"), false);
    loops--;
    words.take();
    var otherwise = List.<TeraNode>of();
    if (words.acceptWord("else")) {
      words.close("%}");
      otherwise = body(Set.of("endfor"), false);
      words.take();
    }
    words.word("endfor");
    words.close("%}");
    return new TeraNode.For(key, value, items, body, otherwise);
  }

  private TeraNode assignment(boolean global) {
    var name = words.take(Kind.NAME, "a name");
    words.symbol("=");
    var value = expressions.expression();
    words.close("%}");
    return new TeraNode.Set(name, value, global);
  }

  private TeraNode include() {
    var reference = reference();
    words.close("%}");
    inclusions.add(reference);
    return new TeraNode.Include(reference);
  }

  private TeraNode.Reference reference() {
    int at = words.peek().at();
    return new TeraNode.Reference(at, words.take(Kind.STRING, "the path of a template in quotes"));
  }

  private TeraNode block(TeraToken start) {
    var name = words.take(Kind.NAME, "a name");
    words.close("%}");
    int outer = loops;
    loops = 0;
    var block = new TeraNode.Block(start.at(), name, body(Set.of("endblock"), false));
    loops = outer;
    end("endblock", name);
    if (blocks.put(name, block) != null) {
      throw source.error(start.at(), "there are two blocks `" + name + "`");
    }
    return block;
  }

  /** The end of a named statement, which may repeat the name. */
  private void end(String word, String name) {
    words.take();
    words.word(word);
    if (words.peek().kind() == Kind.NAME && !words.isNext(Kind.NAME, name)) {
      throw words.unexpected("`" + name + "`");
    }
    words.acceptWord(name);
    words.close("%}");
  }

  private TeraNode section(TeraToken start) {
    var call = expressions.filter();
    words.close("%}");
    var body = body(Set.of("endfilter"), false);
    words.take();
    words.word("endfilter");
    words.close("%}");
    return new TeraNode.Section(start.at(), call, body);
  }

  private TeraNode leave(TeraToken name, boolean loop) {
    if (loops == 0) {
      throw source.error(name.at(), "`" + name.text() + "` is only for loops");
    }
    words.close("%}");
    return new TeraNode.Leave(loop);
  }
}
