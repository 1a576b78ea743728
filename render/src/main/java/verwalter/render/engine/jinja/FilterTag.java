package verwalter.render.engine.jinja;

import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.lib.tag.Tag;
import com.hubspot.jinjava.tree.Node;
import com.hubspot.jinjava.tree.TagNode;
import verwalter.render.engine.LimitedWriter;

/** {@code {% filter upper %}text{% endfilter %}}. */
final class FilterTag implements Tag {
  private static final long serialVersionUID = 1;

  /** A name that no template can use. */
  private static final String BODY = "verwalter__body";

  @Override
  public String getName() {
    return "filter";
  }

  @Override
  @SuppressWarnings("try") // the scope is only closed
  public String interpret(TagNode node, JinjavaInterpreter in) {
    var interpreter = StrictInterpreter.of(in);
    var body = new StringBuilder();
    for (Node child : node.getChildren()) {
      body.append(child.render(in));
      if (body.length() > in.getConfig().getMaxStringLength()) {
        throw new LimitedWriter.TooLong((int) in.getConfig().getMaxStringLength());
      }
    }
    var outer = interpreter.lookups().begin();
    try (var scope = in.enterScope()) {
      in.getContext().put(BODY, body.toString());
      var value = in.resolveELExpression(BODY + " | " + node.getHelpers(), node.getLineNumber());
      return interpreter.failOnMiss(node.getLineNumber()) ? "" : interpreter.getAsString(value);
    } finally {
      interpreter.lookups().end(outer);
    }
  }
}
