package verwalter.render.engine.jinja;

import com.hubspot.jinjava.el.ext.AstDict;
import com.hubspot.jinjava.el.ext.AstRangeBracket;
import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jinjava.de.odysseus.el.tree.Bindings;
import jinjava.de.odysseus.el.tree.impl.ast.AstBracket;
import jinjava.de.odysseus.el.tree.impl.ast.AstNode;
import jinjava.javax.el.ELContext;
import org.jspecify.annotations.Nullable;

/** Parts of expressions whose keys and positions jinjava does not check. */
final class JinjaNodes {

  private static StrictInterpreter in() {
    return StrictInterpreter.of(JinjavaInterpreter.getCurrent());
  }

  /** A key as text; a list or map is none. */
  private static String key(@Nullable Object value) {
    if (Python.isNested(value)) {
      throw new JinjaError(Python.type(value) + " cannot be a key");
    }
    return Python.text(value, in().textLimit());
  }

  /** {@code value[key]}. */
  static final class Item extends AstBracket {
    Item(AstNode base, AstNode property, boolean lvalue, boolean strict) {
      super(base, property, lvalue, strict);
    }

    @Override
    protected @Nullable Object getProperty(Bindings bindings, ELContext context) {
      var value = super.getProperty(bindings, context);
      if (value == null) {
        return null;
      }
      var key = key(value);
      JinjaNames.refuseInternalKey(key);
      return key;
    }
  }

  /** {@code {key: value}}. */
  static final class Dictionary extends AstDict {
    Dictionary(Map<AstNode, AstNode> entries) {
      super(entries);
    }

    @Override
    public Object eval(Bindings bindings, ELContext context) {
      in().payForItems(dict.size());
      var map = new LinkedHashMap<String, @Nullable Object>();
      dict.forEach(
          (key, value) -> map.put(key(key.eval(bindings, context)), value.eval(bindings, context)));
      return in().wrap(map);
    }
  }

  /** {@code value[start:end]} of a text or list. */
  static final class Slice extends AstRangeBracket {
    Slice(AstNode base, AstNode start, AstNode end, boolean lvalue, boolean strict) {
      super(base, start, end, lvalue, strict, false);
    }

    @Override
    public @Nullable Object eval(Bindings bindings, ELContext context) {
      var whole = prefix.eval(bindings, context);
      if (whole == null && in().lookups().anyFailed()) {
        return null;
      }
      boolean text = Python.isText(whole);
      if (!text && !(whole instanceof List)) {
        throw new JinjaError(Python.type(whole) + " has no slices");
      }
      int size = text ? Python.present(whole).toString().length() : ((List<?>) whole).size();
      int start = position(property, 0, size, bindings, context);
      int end = position(rangeMax, size, size, bindings, context);
      if (text) {
        return start >= end ? "" : Python.present(whole).toString().substring(start, end);
      }
      var list = (List<?>) Python.present(whole);
      in().payForItems(Math.max(0, end - start));
      return in().wrap(start >= end ? List.of() : new ArrayList<>(list.subList(start, end)));
    }

    private static int position(
        @Nullable AstNode node, int otherwise, int size, Bindings bindings, ELContext context) {
      var value = node == null ? null : node.eval(bindings, context);
      if (value == null) {
        return otherwise;
      }
      if (!PythonMath.isInteger(value)) {
        throw new JinjaError("a slice goes from integer to integer, not " + Python.type(value));
      }
      var given = PythonMath.integer(value);
      var position = given.signum() < 0 ? given.add(BigInteger.valueOf(size)) : given;
      return position.max(BigInteger.ZERO).min(BigInteger.valueOf(size)).intValue();
    }
  }

  private JinjaNodes() {}
}
