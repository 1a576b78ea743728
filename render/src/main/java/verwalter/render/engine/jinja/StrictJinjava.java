package verwalter.render.engine.jinja;

import com.hubspot.jinjava.Jinjava;
import com.hubspot.jinjava.JinjavaConfig;
import jinjava.javax.el.ExpressionFactory;

/** Jinjava with the expressions of {@link JinjaParser}. */
final class StrictJinjava extends Jinjava {
  private final ExpressionFactory expressions = JinjaParser.factory();

  StrictJinjava(JinjavaConfig config) {
    super(config);
  }

  @Override
  public ExpressionFactory getExpressionFactory() {
    return expressions;
  }
}
