package verwalter.render;

import com.hubspot.jinjava.el.JinjavaInterpreterResolver;
import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import java.util.Collection;
import java.util.Map;
import java.util.TreeSet;
import jinjava.javax.el.CompositeELResolver;
import jinjava.javax.el.ELContext;
import org.jspecify.annotations.Nullable;

/** Looks up properties as jinjava does, but notes every key and index that is not there. */
final class StrictProperties extends CompositeELResolver {
  StrictProperties() {
    add(JinjavaInterpreterResolver.DEFAULT_RESOLVER_READ_ONLY);
  }

  @Override
  public @Nullable Object getValue(ELContext context, Object base, Object property) {
    var name = String.valueOf(property);
    if (base instanceof Map<?, ?> map && !map.containsKey(name)) {
      var known = new TreeSet<String>();
      map.keySet().forEach(key -> known.add(String.valueOf(key)));
      interpreter().missed(name, known);
    } else if (base instanceof Collection<?> list && name.matches("\\d+")) {
      if (name.length() > 9 || Integer.parseInt(name) >= list.size()) {
        interpreter().missed("there is no item " + name + " in a list of " + list.size());
      }
    }
    return super.getValue(context, base, property);
  }

  /** A method is looked up as a property first; that it is none was no miss. */
  @Override
  public @Nullable Object invoke(
      ELContext context, Object base, Object method, Class<?>[] types, Object[] arguments) {
    if (base instanceof Map<?, ?> map && !map.containsKey(String.valueOf(method))) {
      interpreter().forgive();
    }
    return super.invoke(context, base, method, types, arguments);
  }

  private static StrictInterpreter interpreter() {
    return StrictInterpreter.of(JinjavaInterpreter.getCurrent());
  }
}
