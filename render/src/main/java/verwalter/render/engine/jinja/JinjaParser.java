package verwalter.render.engine.jinja;

import com.hubspot.jinjava.el.ExtendedSyntaxBuilder;
import com.hubspot.jinjava.el.TruthyTypeConverter;
import com.hubspot.jinjava.el.ext.AbsOperator;
import com.hubspot.jinjava.el.ext.AstDict;
import com.hubspot.jinjava.el.ext.AstRangeBracket;
import com.hubspot.jinjava.el.ext.CollectionMembershipOperator;
import com.hubspot.jinjava.el.ext.CollectionNonMembershipOperator;
import com.hubspot.jinjava.el.ext.ExtendedParser;
import com.hubspot.jinjava.el.ext.PowerOfOperator;
import com.hubspot.jinjava.el.ext.StringConcatOperator;
import com.hubspot.jinjava.el.ext.TruncDivOperator;
import java.math.BigInteger;
import java.util.Map;
import jinjava.de.odysseus.el.ExpressionFactoryImpl;
import jinjava.de.odysseus.el.tree.TreeStore;
import jinjava.de.odysseus.el.tree.impl.Builder;
import jinjava.de.odysseus.el.tree.impl.Cache;
import jinjava.de.odysseus.el.tree.impl.Parser;
import jinjava.de.odysseus.el.tree.impl.Scanner;
import jinjava.de.odysseus.el.tree.impl.ast.AstBinary;
import jinjava.de.odysseus.el.tree.impl.ast.AstBracket;
import jinjava.de.odysseus.el.tree.impl.ast.AstDot;
import jinjava.de.odysseus.el.tree.impl.ast.AstNode;
import jinjava.de.odysseus.el.tree.impl.ast.AstUnary;
import jinjava.javax.el.ExpressionFactory;

/**
 * Parses expressions as jinjava does, with the operators of Python, and without the names that
 * jinjava keeps for itself.
 */
final class JinjaParser extends ExtendedParser {
  private static final int COMPILED = 1000;

  private static final Map<AstBinary.Operator, AstBinary.Operator> BINARY =
      Map.ofEntries(
          Map.entry(com.hubspot.jinjava.el.ext.AdditionOperator.OP, JinjaOperator.ADD),
          Map.entry(AstBinary.SUB, JinjaOperator.SUBTRACT),
          Map.entry(AstBinary.MUL, JinjaOperator.MULTIPLY),
          Map.entry(AstBinary.DIV, JinjaOperator.DIVIDE),
          Map.entry(AstBinary.MOD, JinjaOperator.MODULO),
          Map.entry(AstBinary.EQ, JinjaOperator.EQUAL),
          Map.entry(AstBinary.NE, JinjaOperator.UNEQUAL),
          Map.entry(AstBinary.LT, JinjaOperator.LESS),
          Map.entry(AstBinary.LE, JinjaOperator.LESS_OR_EQUAL),
          Map.entry(AstBinary.GT, JinjaOperator.GREATER),
          Map.entry(AstBinary.GE, JinjaOperator.GREATER_OR_EQUAL),
          Map.entry(AstBinary.AND, And.OPERATOR));

  private JinjaParser(Builder context, String input) {
    super(context, input);
    binary(TruncDivOperator.TOKEN, ExtensionPoint.MUL, JinjaOperator.FLOOR_DIVIDE);
    binary(CollectionMembershipOperator.TOKEN, ExtensionPoint.CMP, JinjaOperator.IN);
    binary(CollectionNonMembershipOperator.TOKEN, ExtensionPoint.CMP, JinjaOperator.NOT_IN);
    putExtensionHandler(
        AbsOperator.TOKEN,
        new ExtensionHandler(ExtensionPoint.UNARY) {
          @Override
          public AstNode createAstNode(AstNode... children) {
            return new AstUnary(children[0], JinjaOperator.POSITIVE);
          }
        });
  }

  /** The factory of expressions for all templates of an engine. */
  static ExpressionFactory factory() {
    var features =
        new Builder.Feature[] {Builder.Feature.METHOD_INVOCATIONS, Builder.Feature.VARARGS};
    var store = new TreeStore(new Syntax(features), new Cache(COMPILED));
    return new ExpressionFactoryImpl(store, new TruthyTypeConverter());
  }

  private static final class Syntax extends ExtendedSyntaxBuilder {
    private static final long serialVersionUID = 1;

    private Syntax(Builder.Feature... features) {
      super(features);
    }

    @Override
    protected Parser createParser(String expression) {
      return new JinjaParser(this, expression);
    }
  }

  private void binary(
      Scanner.ExtensionToken token, ExtensionPoint level, AstBinary.Operator operator) {
    putExtensionHandler(
        token,
        new ExtensionHandler(level) {
          @Override
          public AstNode createAstNode(AstNode... children) {
            return new AstBinary(children[0], children[1], operator);
          }
        });
  }

  @Override
  protected AstBinary createAstBinary(AstNode left, AstNode right, AstBinary.Operator operator) {
    return new AstBinary(left, right, BINARY.getOrDefault(operator, operator));
  }

  @Override
  protected AstUnary createAstUnary(AstNode child, AstUnary.Operator operator) {
    return new AstUnary(child, operator == AstUnary.NEG ? JinjaOperator.NEGATIVE : operator);
  }

  /** {@code ~} binds tighter than {@code +}. */
  @Override
  protected AstNode mul(boolean required) throws Scanner.ScanException, ParseException {
    var left = super.mul(required);
    while (left != null && getToken() == StringConcatOperator.TOKEN) {
      consumeToken();
      left = new AstBinary(left, super.mul(true), JinjaOperator.JOIN);
    }
    return left;
  }

  /** {@code **} binds tighter than {@code *}, and from the left. */
  @Override
  protected AstNode filter(boolean required) throws Scanner.ScanException, ParseException {
    var left = super.filter(required);
    while (left != null && getToken() == PowerOfOperator.TOKEN) {
      consumeToken();
      left = new AstBinary(left, super.filter(true), JinjaOperator.POWER);
    }
    return left;
  }

  @Override
  protected AstNode unary(boolean required) throws Scanner.ScanException, ParseException {
    if (getToken().getSymbol() != Scanner.Symbol.PLUS) {
      return super.unary(required);
    }
    consumeToken();
    return new AstUnary(unary(true), JinjaOperator.POSITIVE);
  }

  @Override
  protected Number parseInteger(String digits) throws ParseException {
    if (digits.length() > PythonMath.DIGITS) {
      fail("an integer of at most " + PythonMath.DIGITS + " digits");
    }
    return PythonMath.whole(new BigInteger(digits));
  }

  @Override
  protected AstNode nonliteral() throws Scanner.ScanException, ParseException {
    if (getToken().getSymbol() == Scanner.Symbol.IDENTIFIER) {
      boolean prefixed = lookahead(0).getSymbol() == Scanner.Symbol.COLON;
      if (JinjaNames.isInternal(getToken().getImage() + (prefixed ? ":" : ""))) {
        throw new JinjaError("the name `" + getToken().getImage() + "` is reserved");
      }
    }
    return super.nonliteral();
  }

  @Override
  protected AstDot createAstDot(AstNode base, String property, boolean lvalue) {
    JinjaNames.refuseInternalKey(property);
    return super.createAstDot(base, property, lvalue);
  }

  @Override
  protected AstBracket createAstBracket(
      AstNode base, AstNode property, boolean lvalue, boolean strict) {
    return new JinjaNodes.Item(base, property, lvalue, strict);
  }

  @Override
  protected AstRangeBracket createAstRangeBracket(
      AstNode base, AstNode start, AstNode end, boolean lvalue, boolean strict) {
    return new JinjaNodes.Slice(base, start, end, lvalue, strict);
  }

  @Override
  protected AstDict createAstDict(Map<AstNode, AstNode> entries) {
    return new JinjaNodes.Dictionary(entries);
  }
}
