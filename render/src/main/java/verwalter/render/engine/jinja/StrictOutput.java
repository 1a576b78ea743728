package verwalter.render.engine.jinja;

import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.lib.expression.ExpressionStrategy;
import com.hubspot.jinjava.tree.output.RenderedOutputNode;
import com.hubspot.jinjava.tree.parse.ExpressionToken;

/** Prints {@code {{ expressions }}} raw; null prints nothing, an undefined name is an error. */
final class StrictOutput implements ExpressionStrategy {
  private static final long serialVersionUID = 1;

  @Override
  public RenderedOutputNode interpretOutput(ExpressionToken token, JinjavaInterpreter in) {
    return new RenderedOutputNode(print(token.getExpr(), token.getLineNumber(), in));
  }

  /** The text that an expression prints. */
  static String print(String expression, int line, JinjavaInterpreter in) {
    var interpreter = StrictInterpreter.of(in);
    if (expression.isBlank()) {
      interpreter.fail(line, "there is nothing between the brackets");
      return "";
    }
    var outer = interpreter.lookups().begin();
    try {
      var value = interpreter.resolveELExpression(expression, line);
      return interpreter.failOnMiss(line) ? "" : interpreter.getAsString(value);
    } finally {
      interpreter.lookups().end(outer);
    }
  }
}
