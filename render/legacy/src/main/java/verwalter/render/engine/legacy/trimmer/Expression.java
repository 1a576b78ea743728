package verwalter.render.engine.legacy.trimmer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An expression. Values are those of JSON, with {@link Values#NOTHING} for null. */
sealed interface Expression
    permits Expression.Constant,
        Expression.Variable,
        Expression.Access,
        Expression.Items,
        Expression.Entries,
        Logic.Or,
        Logic.And,
        Logic.Not,
        Comparison,
        Calculation {

  Object value(Rendering in);

  /** A number or a string. */
  record Constant(Object constant) implements Expression {
    @Override
    public Object value(Rendering in) {
      return constant;
    }
  }

  /** A name. An unknown name is an error. */
  record Variable(int at, String name) implements Expression {
    @Override
    public Object value(Rendering in) {
      in.step(at);
      return in.variable(at, name);
    }
  }

  /** One {@code .name} or {@code [key]}. */
  record Step(Expression key, int at) {
    Object in(Object from, Rendering in) {
      in.step(at);
      var wanted = key.value(in);
      if (from == Values.NOTHING) {
        return Values.NOTHING;
      }
      if (from instanceof Map<?, ?> map && wanted instanceof String name) {
        return Values.of(map.get(name));
      }
      if (from instanceof List<?> list && Numbers.isInteger(wanted)) {
        return Numbers.index(wanted, list.size())
            .map(each -> Values.of(list.get(each)))
            .orElse(Values.NOTHING);
      }
      throw new Failure(at, unsuitable(from, wanted));
    }

    private static String unsuitable(Object from, Object wanted) {
      if (from instanceof Map) {
        return "a map is indexed by strings, not by " + Values.type(wanted);
      }
      if (from instanceof List) {
        return "a list is indexed by integers, not by "
            + (wanted instanceof Number ? "a float" : Values.type(wanted));
      }
      return Values.type(from) + " has no attributes";
    }
  }

  /** A missing item is {@link Values#NOTHING}, and so are all items within it. */
  record Access(Expression from, List<Step> steps) implements Expression {
    @Override
    public Object value(Rendering in) {
      var value = from.value(in);
      for (var step : steps) {
        value = step.in(value, in);
      }
      return value;
    }
  }

  /** A list literal. */
  record Items(int at, List<Expression> items) implements Expression {
    @Override
    public Object value(Rendering in) {
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
  record Entry(int at, Expression key, Expression value) {}

  /** A map literal, in the order of its keys. */
  record Entries(int at, List<Entry> entries) implements Expression {
    @Override
    public Object value(Rendering in) {
      in.collection(at, entries.size());
      var map = new LinkedHashMap<String, Object>();
      for (var entry : entries) {
        in.step(at);
        var key = entry.key().value(in);
        if (!(key instanceof String name)) {
          throw new Failure(entry.at(), "keys of maps are strings, not " + Values.type(key));
        }
        map.put(name, entry.value().value(in));
      }
      return Values.sorted(map);
    }
  }
}
