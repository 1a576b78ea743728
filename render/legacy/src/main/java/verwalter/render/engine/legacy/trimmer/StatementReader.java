package verwalter.render.engine.legacy.trimmer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Parses the line of one statement. */
final class StatementReader {
  private static final TrimmerExpression NOTHING =
      new TrimmerExpression.Constant(TrimmerValues.NOTHING);
  private static final List<String> KNOWN =
      List.of("if", "elif", "else", "endif", "for", "skip", "endfor", "let");

  private final TrimmerSource source;
  private final NameSuggestions suggestions;

  StatementReader(TrimmerSource source, NameSuggestions suggestions) {
    this.source = source;
    this.suggestions = suggestions;
  }

  /** A statement and the end of its last line. */
  record Read(Piece piece, int end) {}

  /**
   * @param at the position of its number signs
   */
  Read read(int at, int indent) {
    var reader = new ExpressionReader(source, at + 2, true);
    var word = reader.token();
    if (word.kind() != TrimmerToken.Kind.NAME) {
      throw new FailureAt(word.at(), "the name of a statement is expected here, not " + word);
    }
    reader.take();
    var piece = piece(word, at, indent, reader);
    return new Read(piece, reader.end().at());
  }

  private Piece piece(TrimmerToken word, int at, int indent, ExpressionReader reader) {
    return switch (word.text()) {
      case "if" -> new Piece.If(at, indent, reader.expression());
      case "elif" -> new Piece.Elif(at, reader.expression());
      case "else" -> new Piece.Else(at);
      case "for" -> loop(at, indent, reader);
      case "skip" -> {
        reader.expect("if");
        yield new Piece.Skip(at, reader.expression());
      }
      case "endif", "endfor" -> new Piece.End(at, word.text());
      case "let" -> {
        var name = reader.name();
        reader.expect("=");
        yield new TrimmerNode.Let(at, name, reader.expression());
      }
      default -> throw unknown(word);
    };
  }

  private static Piece loop(int at, int indent, ExpressionReader reader) {
    var names = new ArrayList<String>();
    names.add(reader.name());
    if (reader.took(",")) {
      names.add(reader.name());
    }
    reader.expect("in");
    return new Piece.For(at, indent, List.copyOf(names), reader.expression());
  }

  private FailureAt unknown(TrimmerToken word) {
    if (Header.DIRECTIVES.contains(word.text())) {
      return new FailureAt(
          word.at(), "`" + word.text() + "` belongs to the start of the file, before all else");
    }
    return new FailureAt(
        word.at(),
        "there is no statement `"
            + word.text()
            + "`; there are "
            + String.join(", ", new TreeSet<>(KNOWN))
            + suggestions.suggest(word.text(), KNOWN));
  }

  /**
   * A placeholder for an invalid statement, so that the enclosing blocks still match their ends.
   */
  Optional<Piece> inPlaceOf(int at, int indent) {
    int word = source.afterBlanks(at + 2);
    int end = word;
    while (end < source.length() && Character.isLetter(source.text().charAt(end))) {
      end++;
    }
    return switch (source.text().substring(word, end)) {
      case "if" -> Optional.of(new Piece.If(at, indent, NOTHING));
      case "elif" -> Optional.of(new Piece.Elif(at, NOTHING));
      case "else" -> Optional.of(new Piece.Else(at));
      case "for" -> Optional.of(new Piece.For(at, indent, List.of("_"), NOTHING));
      case "endif" -> Optional.of(new Piece.End(at, "endif"));
      case "endfor" -> Optional.of(new Piece.End(at, "endfor"));
      default -> Optional.empty();
    };
  }
}
