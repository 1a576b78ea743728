package verwalter.render.engine.jinja;

import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.lib.exptest.ExpTest;
import com.hubspot.jinjava.lib.filter.Filter;
import com.hubspot.jinjava.lib.filter.GroupByFilter.Group;
import com.hubspot.jinjava.util.ForLoop;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import jinjava.javax.el.ELContext;
import jinjava.javax.el.ELResolver;
import org.jspecify.annotations.Nullable;

/**
 * All that templates can reach in a value: the keys of maps, the items of lists, the letters of
 * texts, the state of a loop, and the methods of Python that are listed here. Methods and
 * properties of Java are not reachable. A missing key or item is recorded.
 */
final class StrictProperties extends ELResolver {
  private static final Object MISSING = new Object();
  private static final Pattern INDEX = Pattern.compile("-?\\d{1,9}");

  @Override
  public @Nullable Object getValue(ELContext context, Object base, Object property) {
    context.setPropertyResolved(true);
    if (base instanceof Filter || base instanceof ExpTest) {
      return null; // it has one method, which jinjava calls
    }
    var name = String.valueOf(property);
    var found = find(base, name);
    if (found != MISSING) {
      return found;
    }
    var lookups = in().lookups();
    if (base instanceof List<?> list && INDEX.matcher(name).matches()) {
      lookups.add("there is no item " + name + " in a list of " + list.size());
    } else if (Python.isText(base) && INDEX.matcher(name).matches()) {
      lookups.add("there is no letter " + name + " in a text of " + base.toString().length());
    } else {
      lookups.addKey(name, () -> names(base));
    }
    return null;
  }

  private static @Nullable Object find(Object base, String name) {
    if (base instanceof Map<?, ?> map) {
      return map.containsKey(name) ? map.get(name) : MISSING;
    }
    if (base instanceof ForLoop loop) {
      return state(loop, name);
    }
    boolean index = INDEX.matcher(name).matches();
    if (base instanceof Map.Entry<?, ?> pair) {
      return switch (name) {
        case "0", "-2", "key" -> pair.getKey();
        case "1", "-1", "value" -> pair.getValue();
        default -> MISSING;
      };
    }
    if (base instanceof Group group) {
      return switch (name) {
        case "0", "-2", "grouper" -> group.getGrouperObject();
        case "1", "-1", "list" -> group.getList();
        default -> MISSING;
      };
    }
    if (base instanceof List<?> list && index) {
      int at = at(name, list.size());
      return at < 0 ? MISSING : list.get(at);
    }
    if (Python.isText(base) && index) {
      int at = at(name, base.toString().length());
      return at < 0 ? MISSING : base.toString().substring(at, at + 1);
    }
    return MISSING;
  }

  /** The index of an item; negative if there is none. */
  private static int at(String index, int size) {
    int given = Integer.parseInt(index);
    int at = given < 0 ? given + size : given;
    return at < size ? at : -1;
  }

  private static Object state(ForLoop loop, String name) {
    return switch (name) {
      case "index" -> loop.getIndex();
      case "index0" -> loop.getIndex0();
      case "revindex" -> loop.getRevindex();
      case "revindex0" -> loop.getRevindex0();
      case "first" -> loop.isFirst();
      case "last" -> loop.isLast();
      case "length" -> loop.getLength();
      case "depth" -> loop.getDepth();
      case "depth0" -> loop.getDepth0();
      default -> MISSING;
    };
  }

  private static Collection<String> names(Object base) {
    var names = new TreeSet<String>();
    if (base instanceof Map<?, ?> map) {
      map.keySet().forEach(key -> names.add(String.valueOf(key)));
    }
    return names;
  }

  /** A method is looked up as a property first; that failed lookup does not count. */
  @Override
  public @Nullable Object invoke(
      ELContext context, Object base, Object method, Class<?>[] types, Object[] arguments) {
    context.setPropertyResolved(true);
    var name = String.valueOf(method);
    var in = in();
    if (base instanceof Filter || base instanceof ExpTest) {
      return applied(base, name, arguments);
    }
    if (find(base, name) == MISSING) {
      in.lookups().forgive();
    }
    if (Python.isText(base)) {
      in.payForSearch(base.toString().length(), PythonText.sought(name, arguments));
      var result = PythonText.call(base.toString(), name, arguments, in.textLimit());
      in.payFor(result);
      return in.wrap(result);
    }
    if (base instanceof Map<?, ?> || base instanceof List<?>) {
      return in.wrap(PythonMethods.call(base, name, arguments, in));
    }
    if (base instanceof ForLoop loop && name.equals("cycle") && arguments.length > 0) {
      return arguments[loop.getIndex0() % arguments.length];
    }
    throw new JinjaError("there is no method `" + name + "` here");
  }

  /** A filter or test as jinjava calls it, with the value and the interpreter first. */
  @SuppressWarnings("unchecked") // the names of arguments
  private static @Nullable Object applied(Object base, String name, Object[] arguments) {
    if (base instanceof Filter filter && name.equals("filter")) {
      return filter.filter(
          arguments[0], in(), (Object[]) arguments[2], (Map<String, Object>) arguments[3]);
    }
    var test = (ExpTest) base;
    var others = Arrays.copyOfRange(arguments, 2, arguments.length);
    return name.equals("evaluateNegated")
        ? test.evaluateNegated(arguments[0], in(), others)
        : test.evaluate(arguments[0], in(), others);
  }

  private static StrictInterpreter in() {
    return StrictInterpreter.of(JinjavaInterpreter.getCurrent());
  }

  @Override
  public Class<?> getType(ELContext context, Object base, Object property) {
    context.setPropertyResolved(true);
    return Object.class;
  }

  @Override
  public void setValue(ELContext context, Object base, Object property, Object value) {
    throw new JinjaError("a template cannot change `" + property + "`");
  }

  @Override
  public boolean isReadOnly(ELContext context, Object base, Object property) {
    context.setPropertyResolved(true);
    return true;
  }

  @Override
  public @Nullable Iterator<java.beans.FeatureDescriptor> getFeatureDescriptors(
      ELContext context, Object base) {
    return null;
  }

  @Override
  public Class<?> getCommonPropertyType(ELContext context, Object base) {
    return Object.class;
  }
}
