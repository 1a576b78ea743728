package verwalter.render.engine.legacy.trimmer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Nests pieces into blocks. */
final class Nesting {
  private final int depth;
  private final ErrorCollector errors;
  private final Deque<Frame> open = new ArrayDeque<>();

  /** An open block; the outermost is the template. */
  private static final class Frame {
    private final Piece.@Nullable Line start;
    private final List<TrimmerNode.Branch> branches = new ArrayList<>();
    private final List<TrimmerExpression> skips = new ArrayList<>();
    private List<TrimmerNode> nodes = new ArrayList<>();
    private @Nullable TrimmerExpression condition;
    private boolean otherwise;

    private Frame(Piece.@Nullable Line start) {
      this.start = start;
      this.condition = start instanceof Piece.If begin ? begin.condition() : null;
    }

    private void endBranch() {
      if (condition != null) {
        branches.add(new TrimmerNode.Branch(condition, new Body(nodes)));
        nodes = new ArrayList<>();
        condition = null;
      }
    }

    private TrimmerNode finished() {
      if (start instanceof Piece.For begin) {
        return new TrimmerNode.Loop(
            begin.at(),
            begin.indent(),
            begin.names(),
            begin.items(),
            List.copyOf(skips),
            new Body(nodes));
      }
      var begin = (Piece.If) Objects.requireNonNull(start);
      endBranch();
      return new TrimmerNode.Choice(
          begin.at(),
          begin.indent(),
          List.copyOf(branches),
          otherwise ? new Body(nodes) : Body.EMPTY);
    }
  }

  private Nesting(int depth, ErrorCollector errors) {
    this.depth = depth;
    this.errors = errors;
  }

  static Body of(List<Piece> pieces, int depth, ErrorCollector errors) {
    var nesting = new Nesting(depth, errors);
    nesting.open.push(new Frame(null));
    try {
      pieces.forEach(nesting::add);
      nesting.end();
    } catch (FailureAt.Limit e) {
      errors.add(e);
    }
    return new Body(nesting.open.getLast().nodes);
  }

  private Frame top() {
    return open.getFirst();
  }

  private void add(Piece piece) {
    if (piece instanceof TrimmerNode node) {
      top().nodes.add(node);
    } else if (piece instanceof Piece.If || piece instanceof Piece.For) {
      if (open.size() > depth) {
        throw new FailureAt.Limit(piece.at(), "blocks are nested more than " + depth + " deep");
      }
      open.push(new Frame((Piece.Line) piece));
    } else if (piece instanceof Piece.Elif line) {
      branch(line.at(), "elif", line.condition());
    } else if (piece instanceof Piece.Else line) {
      branch(line.at(), "else", null);
    } else if (piece instanceof Piece.Skip line) {
      skip(line);
    } else if (piece instanceof Piece.End line) {
      close(line);
    }
  }

  private void branch(int at, String word, @Nullable TrimmerExpression condition) {
    var frame = top();
    if (!(frame.start instanceof Piece.If) || frame.otherwise) {
      errors.add(
          new FailureAt(
              at,
              frame.otherwise
                  ? "`" + word + "` behind `else`"
                  : "`" + word + "` without an `if` before it"));
      return;
    }
    frame.endBranch();
    frame.condition = condition;
    frame.otherwise = condition == null;
  }

  private void skip(Piece.Skip line) {
    if (top().start instanceof Piece.For && top().nodes.stream().allMatch(TrimmerNode::isBlank)) {
      top().nodes.clear();
      top().skips.add(line.condition());
    } else {
      errors.add(new FailureAt(line.at(), "`skip if` comes right behind the line of a `for`"));
    }
  }

  private void close(Piece.End line) {
    var wanted = top().start instanceof Piece.For ? "endfor" : "endif";
    if (top().start == null) {
      errors.add(new FailureAt(line.at(), "`" + line.word() + "` without a block before it"));
    } else {
      if (!wanted.equals(line.word())) {
        errors.add(
            new FailureAt(line.at(), "`" + wanted + "` is expected, not `" + line.word() + "`"));
      }
      var node = open.pop().finished();
      top().nodes.add(node);
    }
  }

  private void end() {
    while (open.size() > 1) {
      var frame = open.pop();
      var word = frame.start instanceof Piece.For ? "for" : "if";
      errors.add(
          new FailureAt(
              Objects.requireNonNull(frame.start).at(),
              "this `" + word + "` has no `end" + word + "`"));
      top().nodes.add(frame.finished());
    }
  }
}
