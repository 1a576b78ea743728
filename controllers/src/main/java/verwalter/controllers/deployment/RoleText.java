package verwalter.controllers.deployment;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes the log of a run apart by recipes, for the markers of the index. Pure. */
final class RoleText {
  /** A command begins with its place in the recipe; what it says is indented. */
  private static final Pattern COMMAND =
      Pattern.compile("(\\S[^:]*\\.render\\.ya?ml):\\d+:\\d+: .*");

  /** How lines begin that are about the run as a whole. */
  private static final List<String> RUN =
      List.of("/", "failed: ", "ERROR: ", "Rendered successfully");

  /** What the last command was, if it looked at a log. */
  private static final Pattern PEEK = Pattern.compile("\\S[^:]*:\\d+:\\d+: PeekLog (.+)");

  private static final Pattern POSITION = Pattern.compile("\\s*File position \".*\":(\\d{1,18})");

  /**
   * What one recipe did.
   *
   * @param recipe empty for what belongs to none
   * @param text whole lines
   * @param external how long other logs were
   */
  record Piece(String recipe, String text, List<Pointer> external) {
    Piece {
      external = List.copyOf(external);
    }
  }

  static List<Piece> pieces(String log) {
    var pieces = new ArrayList<Piece>();
    var recipe = "";
    var text = new StringBuilder();
    var external = new ArrayList<Pointer>();
    var peeked = Optional.<String>empty();
    for (var line : log.lines().toList()) {
      var begun = recipe(line);
      if (begun.isPresent() || !continues(line)) {
        var next = begun.orElse("");
        if (!next.equals(recipe)) {
          add(pieces, recipe, text, external);
          recipe = next;
        }
      }
      text.append(line).append('\n');
      position(line, peeked).ifPresent(external::add);
      peeked =
          Optional.of(PEEK.matcher(line)).filter(Matcher::matches).map(found -> found.group(1));
    }
    add(pieces, recipe, text, external);
    return pieces;
  }

  /** Whether a line that begins no command still is of the recipe before it. */
  private static boolean continues(String line) {
    return RUN.stream().noneMatch(line::startsWith);
  }

  private static Optional<String> recipe(String line) {
    return Optional.of(COMMAND.matcher(line)).filter(Matcher::matches).map(its -> its.group(1));
  }

  private static Optional<Pointer> position(String line, Optional<String> peeked) {
    var found = POSITION.matcher(line);
    return found.matches()
        ? peeked.map(name -> new Pointer.External(name, Long.parseLong(found.group(1))))
        : Optional.empty();
  }

  private static void add(
      List<Piece> pieces, String recipe, StringBuilder text, List<Pointer> external) {
    if (!text.isEmpty()) {
      pieces.add(new Piece(recipe, text.toString(), external));
    }
    text.setLength(0);
    external.clear();
  }

  private RoleText() {}
}
