package verwalter.render.engine.jinja;

import jinjava.de.odysseus.el.tree.Bindings;
import jinjava.de.odysseus.el.tree.impl.ast.AstBinary;
import jinjava.de.odysseus.el.tree.impl.ast.AstNode;
import jinjava.javax.el.ELContext;
import org.jspecify.annotations.Nullable;

/** {@code a and b}: the value that decides. */
enum And implements AstBinary.Operator {
  OPERATOR;

  @Override
  public @Nullable Object eval(Bindings bindings, ELContext context, AstNode left, AstNode right) {
    var value = left.eval(bindings, context);
    return bindings.convert(value, Boolean.class) ? right.eval(bindings, context) : value;
  }

  @Override
  public String toString() {
    return "and";
  }
}
