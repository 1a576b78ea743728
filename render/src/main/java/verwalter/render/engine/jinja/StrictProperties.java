package verwalter.render.engine.jinja;

import com.hubspot.jinjava.el.JinjavaInterpreterResolver;
import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import java.util.Collection;
import java.util.Map;
import java.util.TreeSet;
import jinjava.javax.el.CompositeELResolver;
import jinjava.javax.el.ELContext;
import jinjava.javax.el.ELException;
import org.jspecify.annotations.Nullable;

/** Looks up properties as jinjava does, and records every missing key and index. */
final class StrictProperties extends CompositeELResolver {
  StrictProperties() {
    add(JinjavaInterpreterResolver.DEFAULT_RESOLVER_READ_ONLY);
  }

  @Override
  public @Nullable Object getValue(ELContext context, Object base, Object property) {
    var name = String.valueOf(property);
    if (base instanceof Map<?, ?> map && !map.containsKey(name)) {
      interpreter().lookups().addKey(name, () -> names(map));
    } else if (base instanceof Collection<?> list && name.matches("\\d+")) {
      if (name.length() > 9 || Integer.parseInt(name) >= list.size()) {
        interpreter().lookups().add("there is no item " + name + " in a list of " + list.size());
      }
    }
    if (base instanceof String text && name.matches("-?\\d{1,9}")) {
      return letter(context, text, Integer.parseInt(name));
    }
    return super.getValue(context, base, property);
  }

  private static Collection<String> names(Map<?, ?> map) {
    var names = new TreeSet<String>();
    map.keySet().forEach(key -> names.add(String.valueOf(key)));
    return names;
  }

  private static @Nullable Object letter(ELContext context, String text, int index) {
    int at = index < 0 ? index + text.length() : index;
    context.setPropertyResolved(true);
    if (at < 0 || at >= text.length()) {
      interpreter().lookups().add("there is no letter " + index + " in a text of " + text.length());
      return null;
    }
    return text.substring(at, at + 1);
  }

  /** A method is looked up as a property first; that failed lookup does not count. */
  @Override
  public @Nullable Object invoke(
      ELContext context, Object base, Object method, Class<?>[] types, Object[] arguments) {
    var name = String.valueOf(method);
    if (base instanceof Map<?, ?> map && !map.containsKey(name)) {
      interpreter().lookups().forgive();
    }
    if (base instanceof String text) {
      int limit = (int) interpreter().getConfig().getMaxStringLength();
      interpreter().payFor(text);
      context.setPropertyResolved(true);
      return interpreter().wrap(PythonText.call(text, name, arguments, limit));
    }
    if (!isAllowed(base, name)) {
      throw new ELException("there is no method `" + name + "` here");
    }
    return super.invoke(context, base, method, types, arguments);
  }

  /** Java's own methods of lists and maps are not available to templates. */
  private static boolean isAllowed(Object base, String method) {
    if (base instanceof Map) {
      return PythonText.OF_MAPS.contains(method);
    }
    return base instanceof Collection
        ? PythonText.OF_LISTS.contains(method)
        : !(base instanceof Number || base instanceof Boolean);
  }

  private static StrictInterpreter interpreter() {
    return StrictInterpreter.of(JinjavaInterpreter.getCurrent());
  }
}
