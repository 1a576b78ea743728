package verwalter.render.engine.jinja;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The methods of Python's lists and maps that templates use. */
final class PythonMethods {

  @SuppressWarnings("unchecked") // the items are any values, and keys are texts
  static @Nullable Object call(
      Object base, String method, Object[] arguments, StrictInterpreter in) {
    try {
      return base instanceof Map<?, ?> map
          ? map((Map<String, @Nullable Object>) map, method, arguments, in)
          : list((List<@Nullable Object>) base, method, arguments, in);
    } catch (UnsupportedOperationException e) {
      throw new JinjaError("`" + method + "` cannot change a variable of the role");
    }
  }

  private static @Nullable Object list(
      List<@Nullable Object> list, String method, Object[] arguments, StrictInterpreter in) {
    switch (method) {
      case "append" -> {
        in.checkItems(list.size() + 1L);
        list.add(only(method, arguments));
        return null;
      }
      case "insert" -> {
        in.checkItems(list.size() + 1L);
        expect(method, arguments, 2);
        in.payFor(list);
        list.add(position(arguments[0], list.size()), arguments[1]);
        return null;
      }
      case "extend" -> {
        if (!(only(method, arguments) instanceof Collection<?> more)) {
          throw new JinjaError("`extend` takes a list");
        }
        in.payForItems((long) list.size() + more.size());
        list.addAll(new ArrayList<>(more));
        return null;
      }
      case "pop" -> {
        in.payFor(arguments.length == 0 ? null : list);
        int size = list.size();
        var given = arguments.length == 0 ? BigInteger.valueOf(size - 1L) : integer(arguments[0]);
        var index = given.signum() < 0 ? given.add(BigInteger.valueOf(size)) : given;
        if (index.signum() < 0 || index.compareTo(BigInteger.valueOf(size)) >= 0) {
          throw new JinjaError("there is no item " + given + " in a list of " + size);
        }
        return list.remove(index.intValue());
      }
      case "count" -> {
        in.payFor(list);
        var sought = only(method, arguments);
        return list.stream().filter(each -> in.compare().equal(each, sought)).count();
      }
      case "index" -> {
        in.payFor(list);
        var sought = only(method, arguments);
        for (int i = 0; i < list.size(); i++) {
          if (in.compare().equal(list.get(i), sought)) {
            return (long) i;
          }
        }
        throw new JinjaError("the list has no such item");
      }
      case "reverse" -> {
        in.payFor(list);
        Collections.reverse(list);
        return null;
      }
      case "copy" -> {
        in.payForItems(list.size());
        return new ArrayList<>(list);
      }
      default -> throw new JinjaError("a list has no method `" + method + "` here");
    }
  }

  private static @Nullable Object map(
      Map<String, @Nullable Object> map, String method, Object[] arguments, StrictInterpreter in) {
    switch (method) {
      case "items" -> {
        in.payForItems(map.size());
        return new ArrayList<Object>(map.entrySet());
      }
      case "keys" -> {
        in.payForItems(map.size());
        return new ArrayList<>(map.keySet());
      }
      case "values" -> {
        in.payForItems(map.size());
        return new ArrayList<>(map.values());
      }
      case "get" -> {
        if (arguments.length == 0 || arguments.length > 2) {
          throw new JinjaError("`get` takes a key and a default");
        }
        var key = Python.text(arguments[0], in.textLimit());
        return map.containsKey(key) ? map.get(key) : arguments.length == 2 ? arguments[1] : null;
      }
      case "update" -> {
        if (!(only(method, arguments) instanceof Map<?, ?> more)) {
          throw new JinjaError("`update` takes a map");
        }
        in.payForItems((long) map.size() + more.size());
        new LinkedHashMap<>(more).forEach((key, each) -> map.put(String.valueOf(key), each));
        return null;
      }
      case "put" -> {
        in.checkItems(map.size() + 1L);
        expect(method, arguments, 2);
        return map.put(Python.text(arguments[0], in.textLimit()), arguments[1]);
      }
      default -> throw new JinjaError("a map has no method `" + method + "` here");
    }
  }

  private static @Nullable Object only(String method, Object[] arguments) {
    expect(method, arguments, 1);
    return arguments[0];
  }

  private static void expect(String method, Object[] arguments, int count) {
    if (arguments.length != count) {
      throw new JinjaError("`" + method + "` takes " + count + (count == 1 ? " value" : " values"));
    }
  }

  private static BigInteger integer(@Nullable Object value) {
    if (!PythonMath.isInteger(value)) {
      throw new JinjaError("a position is an integer, not " + Python.type(value));
    }
    return PythonMath.integer(value);
  }

  private static int position(@Nullable Object value, int size) {
    var given = integer(value);
    var position = given.signum() < 0 ? given.add(BigInteger.valueOf(size)) : given;
    return position.max(BigInteger.ZERO).min(BigInteger.valueOf(size)).intValue();
  }

  private PythonMethods() {}
}
