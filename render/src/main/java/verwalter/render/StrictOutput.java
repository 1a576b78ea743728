package verwalter.render;

import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.lib.expression.ExpressionStrategy;
import com.hubspot.jinjava.tree.output.RenderedOutputNode;
import com.hubspot.jinjava.tree.parse.ExpressionToken;

/** Prints {@code {{ expressions }}}: as they are, null as nothing, the undefined never. */
final class StrictOutput implements ExpressionStrategy {
  private static final long serialVersionUID = 1;

  private final boolean asUpstream;

  /**
   * @param asUpstream whether lists and maps look like Tera's, and not like Python's
   */
  StrictOutput(boolean asUpstream) {
    this.asUpstream = asUpstream;
  }

  @Override
  public RenderedOutputNode interpretOutput(ExpressionToken token, JinjavaInterpreter in) {
    var interpreter = StrictInterpreter.of(in);
    var outer = interpreter.startEvaluation();
    try {
      var value = interpreter.resolveELExpression(token.getExpr(), token.getLineNumber());
      if (interpreter.failOnMiss(token.getLineNumber())) {
        return new RenderedOutputNode("");
      }
      return new RenderedOutputNode(
          asUpstream ? Printed.of(value) : interpreter.getAsString(value));
    } finally {
      interpreter.endEvaluation(outer);
    }
  }
}
