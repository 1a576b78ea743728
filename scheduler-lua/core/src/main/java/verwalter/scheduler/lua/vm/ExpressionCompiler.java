package verwalter.scheduler.lua.vm;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.syntax.Expression;
import verwalter.scheduler.lua.syntax.Operator;

/** Compiles parsed expressions of one function. */
final class ExpressionCompiler {
  private final Compiler compiler;

  ExpressionCompiler(Compiler compiler) {
    this.compiler = compiler;
  }

  Expr[] all(List<Expression> list) {
    return list.stream().map(this::of).toArray(Expr[]::new);
  }

  Expr of(Expression expression) {
    if (expression instanceof Expression.Constant constant) {
      return new Constant(constant.value());
    }
    if (expression instanceof Expression.Variable variable) {
      return compiler.variable(variable.local());
    }
    if (expression instanceof Expression.Index index) {
      return index(index);
    }
    if (expression instanceof Expression.Call call) {
      return new FunctionCall(of(call.function()), all(call.arguments()), call.line());
    }
    if (expression instanceof Expression.MethodCall call) {
      return new MethodCall(of(call.object()), call.method(), all(call.arguments()), call.line());
    }
    if (expression instanceof Expression.Binary binary) {
      return binary(binary);
    }
    if (expression instanceof Expression.Unary unary) {
      return unary(unary);
    }
    if (expression instanceof Expression.Table table) {
      return new MakeTable(
          all(table.items()), all(table.keys()), all(table.values()), table.order(), table.line());
    }
    if (expression instanceof Expression.Function function) {
      return compiler.function(function.body());
    }
    if (expression instanceof Expression.Single single) {
      return new Single(of(single.inner()));
    }
    return new Dots();
  }

  private Expr index(Expression.Index index) {
    var table = of(index.table());
    return index.key() instanceof Expression.Constant constant
            && constant.value() instanceof String key
        ? new Field(table, key, index.global(), index.line())
        : new Element(table, of(index.key()), index.line());
  }

  private Expr unary(Expression.Unary unary) {
    var operand = of(unary.operand());
    int line = unary.line();
    return switch (unary.operator()) {
      case '!' -> new Logic.Not(operand, line);
      case '#' -> new Unary.Length(operand, line);
      case '~' -> new Unary.Complement(operand, line);
      default -> minus(operand, line);
    };
  }

  private static Expr minus(Expr operand, int line) {
    if (operand instanceof Constant constant) {
      if (constant.value instanceof Long whole) {
        return new Constant(-whole);
      }
      if (constant.value instanceof Double real) {
        return new Constant(NumberOrder.negative(real));
      }
    }
    return new Unary.Minus(operand, line);
  }

  private Expr binary(Expression.Binary binary) {
    var operator = binary.operator();
    int line = binary.line();
    if (operator == Operator.CONCAT) {
      return concat(binary);
    }
    var left = of(binary.left());
    var right = of(binary.right());
    return switch (operator) {
      case AND -> isConstant(left, true) ? new Single(right) : new Logic.And(left, right, line);
      case OR -> isConstant(left, false) ? new Single(right) : new Logic.Or(left, right, line);
      case EQ -> new Comparison(Comparison.Kind.EQ, left, right, line);
      case NE -> new Comparison(Comparison.Kind.NE, left, right, line);
      case LT -> new Comparison(Comparison.Kind.LT, left, right, line);
      case LE -> new Comparison(Comparison.Kind.LE, left, right, line);
      case GT -> new Comparison(Comparison.Kind.GT, left, right, line);
      case GE -> new Comparison(Comparison.Kind.GE, left, right, line);
      case BAND -> new Bitwise(Bitwise.Kind.AND, left, right, line);
      case BOR -> new Bitwise(Bitwise.Kind.OR, left, right, line);
      case BXOR -> new Bitwise(Bitwise.Kind.XOR, left, right, line);
      case SHL -> new Bitwise(Bitwise.Kind.SHL, left, right, line);
      case SHR -> new Bitwise(Bitwise.Kind.SHR, left, right, line);
      default -> arithmetic(Arithmetic.Kind.valueOf(operator.name()), left, right, line);
    };
  }

  /** Folds two constants, unless the result is zero or an error, as in PUC Lua. */
  private static Expr arithmetic(Arithmetic.Kind kind, Expr left, Expr right, int line) {
    var a = number(left);
    var b = number(right);
    if (a != null && b != null && b.doubleValue() != 0) {
      var result =
          a instanceof Long x && b instanceof Long y
              ? kind.integers(x, y)
              : (Object) kind.floats(a.doubleValue(), b.doubleValue());
      if (result instanceof Long || Math.abs((Double) result) > 0) {
        return new Constant(result);
      }
    }
    return new Arithmetic(kind, left, right, line);
  }

  private static @Nullable Number number(Expr expression) {
    return expression instanceof Constant constant && constant.value instanceof Number number
        ? number
        : null;
  }

  private static boolean isConstant(Expr expression, boolean truth) {
    return expression instanceof Constant constant && Operations.truth(constant.value) == truth;
  }

  private Expr concat(Expression.Binary binary) {
    var parts = new ArrayList<Expr>();
    Expression rest = binary;
    while (rest instanceof Expression.Binary more && more.operator() == Operator.CONCAT) {
      parts.add(of(more.left()));
      rest = more.right();
    }
    parts.add(of(rest));
    return new Concat(parts.toArray(Expr[]::new), binary.line());
  }
}
