package verwalter.render.trimmer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Cuts a template into pieces. A mistake costs its output or line, and reading goes on. */
final class PieceReader {
  private final Source source;
  private final String text;
  private final Header header;
  private final StatementReader statements;
  private final Mistakes mistakes;
  private final List<Piece> pieces = new ArrayList<>();

  /** What was read of the current line and is not yet a piece. */
  private final StringBuilder pending = new StringBuilder();

  private int pendingAt;
  private boolean startsLine;
  private int at;

  PieceReader(Source source, Header header, Hints hints, Mistakes mistakes) {
    this.source = source;
    this.text = source.text();
    this.header = header;
    this.statements = new StatementReader(source, hints);
    this.mistakes = mistakes;
  }

  List<Piece> read() {
    while (at < text.length() && !mistakes.areMany()) {
      if (!wholeLine()) {
        startsLine = true;
        pendingAt = at;
        line();
      }
    }
    return pieces;
  }

  /** Takes a line that is a directive, a comment in its first column, or a statement. */
  private boolean wholeLine() {
    if (header.has(at)) {
      add(new Piece.Directive(at));
    } else if (!text.startsWith("###", at)) {
      return statement();
    }
    at = source.nextLine(at);
    return true;
  }

  private boolean statement() {
    int sign = source.afterBlanks(at);
    if (!text.startsWith("##", sign) || text.startsWith("###", sign) || isJoiner(sign)) {
      return false;
    }
    try {
      var read = statements.read(sign, sign - at);
      add(read.piece());
      at = source.nextLine(read.end());
    } catch (Failure e) {
      mistakes.add(e);
      statements.inPlaceOf(sign, sign - at).ifPresent(this::add);
      at = source.nextLine(Math.max(e.at(), sign));
    }
    return true;
  }

  /** Blank text between two lines of statements is only there for reading. */
  private void add(Piece piece) {
    int last = pieces.size();
    while (last > 0 && pieces.get(last - 1) instanceof Node.Text blank && blank.isBlank()) {
      last--;
    }
    if (last > 0 && Piece.isLine(pieces.get(last - 1))) {
      pieces.subList(last, pieces.size()).clear();
    }
    pieces.add(piece);
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
      } else if (letter == '#' && text.startsWith("##", at) && followsBlank()) {
        if (!lineComment()) {
          return;
        }
      } else {
        pending.append(letter);
        at++;
      }
    }
    flush();
  }

  private boolean followsBlank() {
    return at == 0 || Character.isWhitespace(text.charAt(at - 1));
  }

  private boolean isJoiner(int sign) {
    return text.startsWith("##", sign)
        && text.substring(sign + 2, source.endOfLine(sign)).isBlank();
  }

  /** Whether the line goes on: behind a comment its end does, behind a joiner the next line. */
  private boolean lineComment() {
    if (text.startsWith("###", at)) {
      pending.setLength(stripped(pending));
      at = source.endOfLine(at);
      return true;
    }
    if (isJoiner(at)) {
      pending.setLength(stripped(pending));
      pending.append(' ');
      at = source.afterBlanks(source.nextLine(at));
      return true;
    }
    mistakes.add(
        new Failure(at, "a statement takes a whole line; {{ '##' }} prints two number signs"));
    pending.setLength(0);
    at = source.nextLine(at);
    return false;
  }

  private static int stripped(StringBuilder line) {
    int length = line.length();
    while (length > 0 && " \t".indexOf(line.charAt(length - 1)) >= 0) {
      length--;
    }
    return length;
  }

  private void comment() {
    int end = text.indexOf("#}", at + 2);
    if (end < 0) {
      mistakes.add(new Failure(at, "this comment has no `#}`"));
    }
    at = end < 0 ? text.length() : end + 2;
  }

  private void output() {
    flush();
    int start = at;
    try {
      char sign = start + 2 < text.length() ? text.charAt(start + 2) : ' ';
      var left = Margin.of(sign);
      var reader = new ExpressionReader(source, start + (left == Margin.KEPT ? 2 : 3), false);
      var expression = reader.expression();
      Optional<Filter> filter = header.standard();
      if (reader.took("|")) {
        int name = reader.token().at();
        filter = Optional.of(header.filter(name, reader.name()));
      }
      var end = reader.end();
      if (end.text().isEmpty()) {
        throw new Failure(start, "this output has no `}}`");
      }
      pieces.add(new Node.Print(start, left, expression, filter, Margin.of(end.text().charAt(0))));
      at = end.end();
    } catch (Failure e) {
      mistakes.add(e);
      int from = Math.min(Math.max(e.at(), start + 2), text.length());
      int line = source.endOfLine(from);
      int end = text.substring(from, line).indexOf("}}");
      at = end < 0 ? line : from + end + 2;
    }
    pendingAt = at;
  }

  /** In a line that starts with an output, an empty text says where the line starts. */
  private void flush() {
    if (pending.length() > 0 || startsLine) {
      pieces.add(new Node.Text(pendingAt, pending.toString(), startsLine));
    }
    pending.setLength(0);
    startsLine = false;
    pendingAt = at;
  }
}
