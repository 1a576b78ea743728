package verwalter.render.engine.jinja;

import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.lib.tag.Tag;
import com.hubspot.jinjava.tree.Node;
import com.hubspot.jinjava.tree.TagNode;
import java.util.LinkedHashMap;
import java.util.Map;
import verwalter.render.engine.LimitedWriter;

/** {@code {% with a = 1, b = 2 %}text{% endwith %}}: variables for a block. */
final class WithTag implements Tag {
  private static final long serialVersionUID = 1;

  @Override
  public String getName() {
    return "with";
  }

  @Override
  @SuppressWarnings({"unchecked", "try"}) // the scope is only closed
  public String interpret(TagNode node, JinjavaInterpreter in) {
    var interpreter = StrictInterpreter.of(in);
    var values = new LinkedHashMap<String, Object>();
    var helpers = node.getHelpers().strip();
    if (!helpers.isEmpty()) {
      var outer = interpreter.lookups().begin();
      try {
        var map = in.resolveELExpression("{" + pairs(helpers) + "}", node.getLineNumber());
        if (interpreter.failOnMiss(node.getLineNumber())) {
          return "";
        }
        if (map instanceof Map<?, ?> found) {
          values.putAll((Map<String, Object>) found);
        }
      } finally {
        interpreter.lookups().end(outer);
      }
    }
    var body = new StringBuilder();
    try (var scope = in.enterScope()) {
      values.forEach((name, value) -> in.getContext().put(name, in.wrap(value)));
      for (Node child : node.getChildren()) {
        body.append(child.render(in));
        if (body.length() > in.getConfig().getMaxOutputSize()) {
          throw new LimitedWriter.TooLong((int) in.getConfig().getMaxOutputSize());
        }
      }
    }
    return body.toString();
  }

  /** {@code a = 1, b = 2} as the content of a map literal. */
  private static String pairs(String helpers) {
    return helpers.replaceAll("(^|,)\\s*+(\\w++)\\s*+=(?!=)", "$1'$2':");
  }
}
