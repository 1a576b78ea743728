package verwalter.render.engine.jinja;

import com.hubspot.jinjava.JinjavaConfig;
import com.hubspot.jinjava.tree.parse.Token;
import com.hubspot.jinjava.tree.parse.TokenScanner;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import jinjava.de.odysseus.el.tree.TreeBuilderException;

/**
 * Maps the positions in jinjava's messages to positions in the file of a template. Jinjava sees the
 * text that {@link JinjaDialect} has rewritten, and counts positions from the line in which a tag
 * ends. If a position is uncertain, there is no result. Immutable.
 */
final class JinjaPlaces {
  /** Characters that must not be beside a name in quotes or brackets. */
  private static final Pattern LATE = Pattern.compile("\\(|\\[\\s*+[^\\s\"'\\d]");

  private static final Pattern TEST_FOLLOWS = Pattern.compile("\\bis(?:\\s+not)?\\s+$");
  private static final int LOOK_BACK = 40;

  private final String file;
  private final JinjaDialect.Rewritten code;
  private final Map<Key, Optional<Integer>> tokens = new HashMap<>();
  private Optional<Integer> broken = Optional.empty();

  /** Jinjava's names for a part of a template; two parts may have the same name. */
  private record Key(int line, int position, String image) {}

  /** The subject of a message: a name of some kind, or none. */
  record Subject(Kind kind, String name) {
    /** The whole tag. */
    static final Subject TAG = new Subject(Kind.TAG, "");

    /** A kind of named subject. */
    enum Kind {
      VARIABLE,
      PROPERTY,
      FILTER,
      TEST,
      TAG
    }
  }

  /** A position in the file: line and column, both from 1. */
  record Position(int line, int column) {}

  JinjaPlaces(String file, JinjavaConfig config) {
    this.file = file;
    this.code = JinjaDialect.rewrite(file);
    var text = code.text();
    int at = 0;
    try {
      for (var all = new TokenScanner(text, config); all.hasNext(); ) {
        var token = all.next();
        if (!text.startsWith(token.getImage(), at)) {
          break;
        }
        note(token.getLineNumber(), token.getStartPosition(), token.getImage(), at);
        at += token.getImage().length();
      }
    } catch (RuntimeException malformed) {
      broken = Optional.of(at);
    }
  }

  private void note(int line, int position, String image, int at) {
    var here = Optional.of(at);
    tokens.merge(new Key(line, position, image), here, (a, b) -> Optional.empty());
    if (!image.isEmpty()) {
      tokens.merge(new Key(line, position, ""), here, (a, b) -> Optional.empty());
    }
  }

  private Optional<Integer> find(int line, int position, String image) {
    return tokens.getOrDefault(new Key(line, position, image), Optional.empty());
  }

  /** The start of the tag or output where jinjava stops parsing. */
  Optional<Position> broken() {
    return broken.map(at -> position(code.origin(at)));
  }

  /** The start of the tag or output at this line and position of jinjava. */
  Optional<Position> of(int line, int position) {
    return find(line, position, "").map(at -> position(code.origin(at)));
  }

  /** The position of the subject within a token; the start of the token if it is uncertain. */
  Optional<Position> of(Token token, Subject subject) {
    return find(token.getLineNumber(), token.getStartPosition(), token.getImage())
        .map(
            at -> {
              int start = code.origin(at);
              int end = code.origin(at + token.getImage().length());
              var text = file.substring(start, Math.max(start, end));
              return position(start + offset(text, subject).orElse(0));
            });
  }

  /** The position of the syntax error within a token; the start of the token if it is uncertain. */
  Optional<Position> of(Token token, TreeBuilderException error) {
    var expression = error.getExpression();
    var inner = expression.substring(2, Math.max(2, expression.length() - 1));
    var image = token.getImage();
    int in = image.indexOf(inner);
    int offset = error.getPosition() - 2;
    if (in < 0 || image.indexOf(inner, in + 1) >= 0 || offset < 0 || offset > inner.length()) {
      return of(token, Subject.TAG);
    }
    return find(token.getLineNumber(), token.getStartPosition(), image)
        .map(at -> position(code.origin(at + in + offset)));
  }

  /** The position of a name in a tag, if it occurs there once in that role. */
  private static OptionalInt offset(String tag, Subject subject) {
    if (subject.kind() == Subject.Kind.TAG || subject.name().isEmpty()) {
      return OptionalInt.empty();
    }
    var name = Pattern.quote(subject.name());
    var word = Pattern.compile("(?<![\\w])" + name + "(?![\\w])", Pattern.UNICODE_CHARACTER_CLASS);
    var found = word.matcher(tag);
    if (!found.find()) {
      return OptionalInt.empty();
    }
    int at = found.start();
    return !found.find() && fits(tag, at, subject) ? OptionalInt.of(at) : OptionalInt.empty();
  }

  private static boolean fits(String tag, int at, Subject subject) {
    var before = tag.substring(Math.max(0, at - LOOK_BACK), at);
    var bare = before.stripTrailing();
    var after = tag.substring(at + subject.name().length()).stripLeading();
    boolean quoted = isQuoted(tag, at);
    boolean test = TEST_FOLLOWS.matcher(before).find();
    return switch (subject.kind()) {
      case VARIABLE ->
          !quoted
              && !test
              && !bare.endsWith(".")
              && !bare.endsWith("|")
              && !after.matches("(?s)=[^=].*");
      case PROPERTY ->
          !LATE.matcher(tag).find()
              && (quoted
                  ? bare.matches("(?s).*\\[\\s*[\"']") && after.matches("(?s)[\"']\\s*\\].*")
                  : bare.endsWith("."));
      case FILTER -> !quoted && bare.endsWith("|");
      case TEST -> !quoted && test;
      case TAG -> false;
    };
  }

  private static boolean isQuoted(String tag, int at) {
    char quote = 0;
    for (int i = 0; i < at; i++) {
      char letter = tag.charAt(i);
      if (quote != 0 && letter == '\\') {
        i++;
      } else if (quote != 0) {
        quote = letter == quote ? 0 : quote;
      } else if (letter == '"' || letter == '\'') {
        quote = letter;
      }
    }
    return quote != 0;
  }

  private Position position(int at) {
    int start = file.lastIndexOf('\n', at - 1) + 1;
    int line = 1 + (int) file.substring(0, start).chars().filter(each -> each == '\n').count();
    return new Position(line, 1 + file.codePointCount(start, at));
  }
}
