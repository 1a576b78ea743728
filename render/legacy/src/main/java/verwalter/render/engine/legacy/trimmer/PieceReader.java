package verwalter.render.engine.legacy.trimmer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Splits a template into pieces. After an error, it skips the output or line and continues. */
final class PieceReader {
  private final TrimmerSource source;
  private final String text;
  private final Header header;
  private final StatementReader statements;
  private final ErrorCollector errors;
  private final List<Piece> pieces = new ArrayList<>();

  /** The pending text of the current line. */
  private final StringBuilder pending = new StringBuilder();

  private int pendingAt;
  private boolean startsLine;

  /** Whether this line continues another one. */
  private boolean joined;

  private int at;

  /** The end of the last run of white space found, so that it is not searched again. */
  private int space;

  /** The end of the last output or comment. */
  private int boundary;

  PieceReader(
      TrimmerSource source, Header header, NameSuggestions suggestions, ErrorCollector errors) {
    this.source = source;
    this.text = source.text();
    this.header = header;
    this.statements = new StatementReader(source, suggestions);
    this.errors = errors;
  }

  List<Piece> read() {
    while (at < text.length() && !errors.areMany()) {
      if (!wholeLine()) {
        startsLine = !joined;
        joined = false;
        pendingAt = at;
        boundary = at;
        line();
      }
    }
    return pieces;
  }

  /** Reads a line that is a directive, only a comment, or a statement. */
  private boolean wholeLine() {
    if (header.has(at)) {
      pieces.add(new Piece.Directive(at));
      at = source.nextLine(at);
    } else if (text.startsWith("###", sign(at))) {
      at = source.nextLine(sign(at));
    } else {
      return statement();
    }
    return true;
  }

  /** A margin sign at the end of a line applies across the empty lines before it. */
  private int sign(int from) {
    int sign = source.afterBlanks(from);
    if (sign == from) {
      return from;
    }
    if (sign >= space) {
      space = sign;
      while (space < text.length() && Character.isWhitespace(text.charAt(space))) {
        space++;
      }
    }
    return space;
  }

  private boolean statement() {
    int sign = source.afterBlanks(at);
    if (!text.startsWith("##", sign) || text.startsWith("###", sign) || isJoiner(sign)) {
      return false;
    }
    try {
      var read = statements.read(sign, sign - at);
      pieces.add(read.piece());
      joined = false;
      at = source.nextLine(read.end());
    } catch (FailureAt e) {
      errors.add(e);
      statements.inPlaceOf(sign, sign - at).ifPresent(pieces::add);
      at = source.nextLine(Math.max(e.at(), sign));
    }
    return true;
  }

  private void line() {
    while (at < text.length()) {
      char letter = text.charAt(at);
      if (letter == '\n') {
        pending.append(letter);
        at++;
        flush();
        return;
      } else if (text.startsWith("{{", at)) {
        output();
      } else if (text.startsWith("{#", at)) {
        comment();
      } else if (isBlank(letter) || (letter == '#' && at == boundary)) {
        if (!blanks()) {
          return;
        }
      } else {
        pending.append(letter);
        at++;
      }
    }
    flush();
  }

  private boolean isJoiner(int sign) {
    return text.startsWith("##", sign)
        && text.substring(sign + 2, source.endOfLine(sign)).isBlank();
  }

  /** Skips blanks and the line end behind them; whether the line continues. */
  private boolean blanks() {
    int sign = sign(at);
    if (text.startsWith("###", sign)) {
      at = source.endOfLine(sign);
      return true;
    }
    if (isJoiner(sign)) {
      joined = !startsLine || pending.length() > 0;
      flush();
      pieces.add(new TrimmerNode.Joiner(sign));
      at = source.nextLine(sign);
      return false;
    }
    int end = source.afterBlanks(at);
    if (text.startsWith("##", end)) {
      errors.add(
          new FailureAt(end, "a statement takes a whole line; {{ '##' }} prints two number signs"));
      pending.setLength(0);
      at = source.nextLine(end);
      return false;
    }
    end = Math.max(end, at + 1);
    pending.append(text, at, end);
    at = end;
    return true;
  }

  private static boolean isBlank(char letter) {
    return letter == ' ' || letter == '\t';
  }

  private void comment() {
    int end = text.indexOf("#}", at + 2);
    if (end < 0) {
      errors.add(new FailureAt(at, "this comment has no `#}`"));
    }
    at = end < 0 ? text.length() : end + 2;
    boundary = at;
  }

  private void output() {
    flush();
    int start = at;
    try {
      char sign = start + 2 < text.length() ? text.charAt(start + 2) : ' ';
      var left = Margin.of(sign);
      var reader = new ExpressionReader(source, start + (left == Margin.KEPT ? 2 : 3), false);
      var expression = reader.expression();
      Optional<TrimmerFilter> filter = header.standard();
      if (reader.took("|")) {
        int name = reader.token().at();
        filter = Optional.of(header.filter(name, reader.name()));
      }
      var end = reader.end();
      if (end.text().isEmpty()) {
        throw new FailureAt(start, "this output has no `}}`");
      }
      pieces.add(
          new TrimmerNode.Print(start, left, expression, filter, Margin.of(end.text().charAt(0))));
      at = end.end();
    } catch (FailureAt e) {
      errors.add(e);
      int from = Math.min(Math.max(e.at(), start + 2), text.length());
      int line = source.endOfLine(from);
      int end = text.substring(from, line).indexOf("}}");
      at = end < 0 ? line : from + end + 2;
    }
    pendingAt = at;
    boundary = at;
  }

  /** If a line starts with an output, an empty text marks the start of the line. */
  private void flush() {
    if (pending.length() > 0 || startsLine) {
      pieces.add(new TrimmerNode.Text(pendingAt, pending.toString(), startsLine));
    }
    pending.setLength(0);
    startsLine = false;
    pendingAt = at;
  }
}
