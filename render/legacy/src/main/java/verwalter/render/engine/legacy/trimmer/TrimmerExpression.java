package verwalter.render.engine.legacy.trimmer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An expression. TrimmerValues are those of JSON, with {@link TrimmerValues#NOTHING} for null. */
sealed interface TrimmerExpression
    permits TrimmerExpression.Constant,
        TrimmerExpression.Variable,
        TrimmerExpression.Access,
        TrimmerExpression.Items,
        TrimmerExpression.Entries,
        TrimmerLogic.Or,
        TrimmerLogic.And,
        TrimmerLogic.Not,
        TrimmerComparison,
        Calculation {

  Object value(TrimmerRendering in);

  /** A number or a string. */
  record Constant(Object constant) implements TrimmerExpression {
    @Override
    public Object value(TrimmerRendering in) {
      return constant;
    }
  }

  /** A name. An unknown name is an error. */
  record Variable(int at, String name) implements TrimmerExpression {
    @Override
    public Object value(TrimmerRendering in) {
      in.step(at);
      return in.variable(at, name);
    }
  }

  /** One {@code .name} or {@code [key]}. */
  record Step(TrimmerExpression key, int at) {
    Object in(Object from, TrimmerRendering in) {
      in.step(at);
      var wanted = key.value(in);
      if (from == TrimmerValues.NOTHING) {
        return TrimmerValues.NOTHING;
      }
      if (from instanceof Map<?, ?> map && wanted instanceof String name) {
        return TrimmerValues.of(map.get(name));
      }
      if (from instanceof List<?> list && TrimmerNumbers.isInteger(wanted)) {
        return TrimmerNumbers.index(wanted, list.size())
            .map(each -> TrimmerValues.of(list.get(each)))
            .orElse(TrimmerValues.NOTHING);
      }
      throw new FailureAt(at, unsuitable(from, wanted));
    }

    private static String unsuitable(Object from, Object wanted) {
      if (from instanceof Map) {
        return "a map is indexed by strings, not by " + TrimmerValues.type(wanted);
      }
      if (from instanceof List) {
        return "a list is indexed by integers, not by "
            + (wanted instanceof Number ? "a float" : TrimmerValues.type(wanted));
      }
      return TrimmerValues.type(from) + " has no attributes";
    }
  }

  /** A missing item is {@link TrimmerValues#NOTHING}, and so are all items within it. */
  record Access(TrimmerExpression from, List<Step> steps) implements TrimmerExpression {
    @Override
    public Object value(TrimmerRendering in) {
      var value = from.value(in);
      for (var step : steps) {
        value = step.in(value, in);
      }
      return value;
    }
  }

  /** A list literal. */
  record Items(int at, List<TrimmerExpression> items) implements TrimmerExpression {
    @Override
    public Object value(TrimmerRendering in) {
      in.collection(at, items.size());
      var list = new ArrayList<Object>(items.size());
      for (var item : items) {
        in.step(at);
        list.add(item.value(in));
      }
      return list;
    }
  }

  /** A key and its value. */
  record Entry(int at, TrimmerExpression key, TrimmerExpression value) {}

  /** A map literal, in the order of its keys. */
  record Entries(int at, List<Entry> entries) implements TrimmerExpression {
    @Override
    public Object value(TrimmerRendering in) {
      in.collection(at, entries.size());
      var map = new LinkedHashMap<String, Object>();
      for (var entry : entries) {
        in.step(at);
        var key = entry.key().value(in);
        if (!(key instanceof String name)) {
          throw new FailureAt(
              entry.at(), "keys of maps are strings, not " + TrimmerValues.type(key));
        }
        map.put(name, entry.value().value(in));
      }
      return TrimmerValues.sorted(map);
    }
  }
}
