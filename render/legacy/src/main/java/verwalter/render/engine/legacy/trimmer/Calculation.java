package verwalter.render.engine.legacy.trimmer;

import java.util.List;

/** A chain of arithmetic operators of one precedence, evaluated from the left. */
record Calculation(List<Link> links) implements TrimmerExpression {
  @Override
  public Object value(TrimmerRendering in) {
    var value = links.get(0).right().value(in);
    for (var link : links.subList(1, links.size())) {
      in.step(link.at());
      var right = link.right().value(in);
      if (!(value instanceof Number a) || !(right instanceof Number b)) {
        var wrong = value instanceof Number ? right : value;
        throw new FailureAt(
            link.at(), "`" + link.sign() + "` takes numbers, not " + TrimmerValues.type(wrong));
      }
      value = TrimmerNumbers.calculate(a, link, b);
    }
    return value;
  }
}
