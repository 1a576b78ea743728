package verwalter.render.engine.legacy.trimmer;

import java.util.List;

/** A part of a template before blocks are nested: text, an output, or the line of a statement. */
sealed interface Piece
    permits Piece.Line, TrimmerNode.Text, TrimmerNode.Joiner, TrimmerNode.Print, TrimmerNode.Let {
  int at();

  /** A line that is a statement or part of one. */
  sealed interface Line extends Piece permits If, Elif, Else, For, Skip, End, Directive {}

  /** {@code ## if}. */
  record If(int at, int indent, TrimmerExpression condition) implements Line {}

  /** {@code ## elif}. */
  record Elif(int at, TrimmerExpression condition) implements Line {}

  /** {@code ## else}. */
  record Else(int at) implements Line {}

  /** {@code ## for}. */
  record For(int at, int indent, List<String> names, TrimmerExpression items) implements Line {}

  /** {@code ## skip if}. */
  record Skip(int at, TrimmerExpression condition) implements Line {}

  /** {@code ## endif} or {@code ## endfor}. */
  record End(int at, String word) implements Line {}

  /** A line of the header. */
  record Directive(int at) implements Line {}
}
