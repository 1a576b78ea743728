package verwalter.render.engine.legacy.trimmer;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** A chain of comparisons, which is true if all are true. */
record TrimmerComparison(List<Link> links) implements TrimmerExpression {
  @Override
  public Object value(TrimmerRendering in) {
    var left = links.get(0).right().value(in);
    for (var link : links.subList(1, links.size())) {
      in.step(link.at());
      var right = link.right().value(in);
      if (!holds(left, link, right)) {
        return false;
      }
      left = right;
    }
    return true;
  }

  private static boolean holds(Object left, Link link, Object right) {
    boolean equality = link.sign().equals("==") || link.sign().equals("!=");
    if (equality && (left == TrimmerValues.NOTHING || right == TrimmerValues.NOTHING)) {
      return (left == right) == link.sign().equals("==");
    }
    if (left instanceof Number a && right instanceof Number b) {
      return TrimmerNumbers.compare(a, b).stream().anyMatch(order -> holds(order, link.sign()))
          || (link.sign().equals("!=") && TrimmerNumbers.compare(a, b).isEmpty());
    }
    if (left instanceof String a && right instanceof String b) {
      return holds(Arrays.compareUnsigned(bytes(a), bytes(b)), link.sign());
    }
    if (left instanceof Boolean a && right instanceof Boolean b) {
      return holds(a.compareTo(b), link.sign());
    }
    throw new FailureAt(
        link.at(),
        "cannot compare " + TrimmerValues.type(left) + " with " + TrimmerValues.type(right));
  }

  private static boolean holds(int order, String sign) {
    return switch (sign) {
      case "==" -> order == 0;
      case "!=" -> order != 0;
      case "<" -> order < 0;
      case "<=" -> order <= 0;
      case ">" -> order > 0;
      default -> order >= 0;
    };
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
