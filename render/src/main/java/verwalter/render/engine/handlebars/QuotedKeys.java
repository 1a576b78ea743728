package verwalter.render.engine.handlebars;

import com.github.jknack.handlebars.ValueResolver;
import com.github.jknack.handlebars.context.MapValueResolver;
import java.util.Map;
import java.util.Set;

/** Resolves keys of maps, and no property of any other object. A key may be quoted. */
enum QuotedKeys implements ValueResolver {
  INSTANCE;

  @Override
  public Object resolve(Object from, String name) {
    var found = MapValueResolver.INSTANCE.resolve(from, name);
    boolean quoted =
        name.length() > 1
            && (name.charAt(0) == '"' || name.charAt(0) == '\'')
            && name.charAt(name.length() - 1) == name.charAt(0);
    return found == UNRESOLVED && quoted
        ? MapValueResolver.INSTANCE.resolve(from, name.substring(1, name.length() - 1))
        : found;
  }

  @Override
  public Object resolve(Object from) {
    return MapValueResolver.INSTANCE.resolve(from);
  }

  @Override
  public Set<Map.Entry<String, Object>> propertySet(Object from) {
    return MapValueResolver.INSTANCE.propertySet(from);
  }
}
