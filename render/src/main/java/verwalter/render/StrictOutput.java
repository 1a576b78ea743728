package verwalter.render;

import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.lib.expression.ExpressionStrategy;
import com.hubspot.jinjava.tree.output.RenderedOutputNode;
import com.hubspot.jinjava.tree.parse.ExpressionToken;

/** Prints {@code {{ expressions }}}: as they are, null as nothing, the undefined never. */
final class StrictOutput implements ExpressionStrategy {
  private static final long serialVersionUID = 1;

  @Override
  public RenderedOutputNode interpretOutput(ExpressionToken token, JinjavaInterpreter in) {
    var interpreter = StrictInterpreter.of(in);
    if (token.getExpr().isBlank()) {
      interpreter.fail(token.getLineNumber(), "there is nothing between the brackets");
      return new RenderedOutputNode("");
    }
    var outer = interpreter.startEvaluation();
    try {
      var value = interpreter.resolveELExpression(token.getExpr(), token.getLineNumber());
      if (interpreter.failOnMiss(token.getLineNumber())) {
        return new RenderedOutputNode("");
      }
      return new RenderedOutputNode(interpreter.getAsString(value));
    } finally {
      interpreter.endEvaluation(outer);
    }
  }
}
