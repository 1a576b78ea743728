package verwalter.render.engine.handlebars;

import com.github.jknack.handlebars.Context;
import com.github.jknack.handlebars.Handlebars;
import com.github.jknack.handlebars.Options;
import com.github.jknack.handlebars.TagType;
import com.github.jknack.handlebars.Template;
import com.github.jknack.handlebars.helper.DefaultHelperRegistry;
import java.io.IOException;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import verwalter.render.engine.LimitedWriter;
import verwalter.render.engine.Nearest;

/** The blocks, helpers and handling of undefined names. */
final class HandlebarsVocabulary {

  static final Set<String> KNOWN =
      Set.of("each", "if", "unless", "with", "lookup", "escape", "raw", "log");

  /** Prints two braces; stands for those in raw blocks. */
  static final String BRACES = "raw-braces";

  /** The names of the library's own helpers that do not exist here. */
  private static final List<String> UNKNOWN =
      new DefaultHelperRegistry()
          .helpers().stream().map(Map.Entry::getKey).filter(name -> !KNOWN.contains(name)).toList();

  /** Registers the helpers that exist in a registry without any. */
  static void register(Handlebars handlebars) {
    UNKNOWN.forEach(name -> handlebars.registerHelper(name, HandlebarsVocabulary::unknown));
    handlebars.registerHelper("each", HandlebarsVocabulary::each);
    handlebars.registerHelper("if", (value, options) -> branch(isTrue(value), options));
    handlebars.registerHelper("unless", (value, options) -> branch(!isTrue(value), options));
    handlebars.registerHelper("with", HandlebarsVocabulary::with);
    handlebars.registerHelper("lookup", HandlebarsVocabulary::lookup);
    handlebars.registerHelper("escape", HandlebarsVocabulary::escape);
    handlebars.registerHelper(BRACES, (value, options) -> "{{");
    handlebars.registerDecorator("inline", HandlebarsVocabulary::inline);
    handlebars.registerHelper("log", (value, options) -> "");
    handlebars.registerHelperMissing(HandlebarsVocabulary::missing);
  }

  /** False, null, zero, subnormal numbers, NaN and everything empty are false. */
  private static boolean isTrue(@Nullable Object value) {
    if (value instanceof Number number) {
      return Math.abs(number.doubleValue()) >= Double.MIN_NORMAL;
    }
    if (value instanceof Map<?, ?> map) {
      return !map.isEmpty();
    }
    if (value instanceof Collection<?> list) {
      return !list.isEmpty();
    }
    return value instanceof Boolean flag ? flag : value != null && !value.toString().isEmpty();
  }

  private static Object branch(boolean taken, Options options) throws IOException {
    return RenderState.of(options)
        .<Object, IOException>deeper(
            () -> {
              var writer = RenderState.of(options).writer();
              (taken ? options.fn : options.inverse).apply(options.context, writer);
              return printed(options, writer);
            });
  }

  private static Object with(@Nullable Object value, Options options) throws IOException {
    if (value == null || !isTrue(value)) {
      return branch(false, options);
    }
    var writer = RenderState.of(options).writer();
    inner(writer, options, value, List.of(value), Map.of());
    return printed(options, writer);
  }

  private static Object printed(Options options, LimitedWriter writer) throws IOException {
    var buffer = options.buffer();
    buffer.append(writer.getBuffer());
    return buffer;
  }

  /** Renders the block with the block parameters of all enclosing blocks. */
  private static void inner(
      LimitedWriter writer,
      Options options,
      Object value,
      List<Object> parameters,
      Map<String, Object> marks)
      throws IOException {
    var walk = RenderState.of(options);
    walk.<Boolean, IOException>naming(
        named(options, parameters),
        () -> {
          var context = Context.newContext(options.context, BlockScope.by(walk.names(), value));
          walk.names().forEach(context::combine);
          marks.forEach(context::combine);
          options.fn.apply(context, writer);
          return true;
        });
  }

  private static Map<String, Object> named(Options options, List<Object> values) {
    var named = new LinkedHashMap<String, Object>();
    for (int i = 0; i < Math.min(options.blockParams.size(), values.size()); i++) {
      named.put(options.blockParams.get(i), values.get(i));
    }
    return named;
  }

  private static Object each(@Nullable Object value, Options options) throws IOException {
    if (!isTrue(value)) {
      return branch(false, options);
    }
    RenderState.of(options).step();
    var writer = RenderState.of(options).writer();
    if (value instanceof Map<?, ?> map) {
      int index = 0;
      for (var entry : map.entrySet()) {
        one(writer, options, entry.getValue(), String.valueOf(entry.getKey()), index++, map.size());
      }
    } else if (value instanceof Collection<?> list) {
      int index = 0;
      for (var item : list) {
        one(writer, options, item, null, index++, list.size());
      }
    } else {
      throw new IllegalArgumentException("#each takes a list or a map, not `" + value + "`");
    }
    return printed(options, writer);
  }

  private static void one(
      LimitedWriter writer,
      Options options,
      @Nullable Object item,
      @Nullable String key,
      int index,
      int size)
      throws IOException {
    Object value = item == null ? "" : item;
    Object name = key == null ? (Object) index : key;
    Map<String, Object> marks =
        Map.of("@key", name, "@index", index, "@first", index == 0, "@last", index == size - 1);
    var values = key == null ? List.<Object>of(value, index) : keyed(options, key, value);
    inner(writer, options, value, values, marks);
  }

  /** Upstream's block parameters: one name is the value, two are the key and the value. */
  private static List<Object> keyed(Options options, String key, Object value) {
    return options.blockParams.size() == 1 ? List.of(value) : List.of(key, value);
  }

  private static @Nullable Object lookup(@Nullable Object from, Options options) {
    var key = options.param(0, null);
    if (from == null || key == null) {
      throw new IllegalArgumentException(
          "`lookup` takes a value and a key; one is missing or undefined");
    }
    @Nullable Object found = null;
    if (from instanceof Map<?, ?> map) {
      found = map.get(String.valueOf(key));
      if (found == null && !map.containsKey(String.valueOf(key))) {
        var known = new TreeSet<String>();
        map.keySet().forEach(each -> known.add(String.valueOf(each)));
        throw new Undefined(String.valueOf(key), known);
      }
    } else if (from instanceof List<?> list && key instanceof Number number) {
      if (number.longValue() < 0 || number.longValue() >= list.size()) {
        throw new Undefined(String.valueOf(key), List.of());
      }
      found = list.get(number.intValue());
    }
    return found;
  }

  /** Called if a name is neither a value nor a helper. A section of nothing renders its inverse. */
  private static Object missing(@Nullable Object value, Options options) throws IOException {
    if (options.params.length > 0 || value != options.context.model()) {
      return unknown(value, options);
    }
    if (options.tagType == TagType.SECTION) {
      return options.inverse();
    }
    throw new Undefined(options.helperName, namesAt(options.helperName, options.context));
  }

  /** The same path with every possible name in place of the first missing step. */
  private static Collection<String> namesAt(String path, Context context) {
    var names = new TreeSet<String>();
    var prefix = new StringBuilder();
    var from = context;
    while (path.startsWith("../", prefix.length()) && from.parent() != null) {
      from = from.parent();
      prefix.append("../");
    }
    @Nullable Object at = from.model();
    for (var step : List.of(path.substring(prefix.length()).split("[./]"))) {
      if (!(at instanceof Map<?, ?> map)) {
        return List.of();
      }
      if (!map.containsKey(step)) {
        map.keySet().forEach(name -> names.add(prefix + String.valueOf(name)));
        return names;
      }
      at = map.get(step);
      prefix.append(step).append('.');
    }
    return names;
  }

  private static Object unknown(@Nullable Object value, Options options) {
    throw new IllegalArgumentException(unknown(options.helperName));
  }

  static String unknown(String name) {
    return "there is no helper `"
        + name
        + "`; there are "
        + String.join(", ", new TreeSet<>(KNOWN))
        + Nearest.hint(name, KNOWN);
  }

  private static Object escape(@Nullable Object value, Options options) {
    if (value == null) {
      throw new IllegalArgumentException("`escape` of an undefined variable");
    }
    return ValueFormatter.format(value)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  private static void inline(Template content, Options options) {
    Deque<Map<String, Template>> partials = options.data(Context.INLINE_PARTIALS);
    partials.getLast().put(String.valueOf(options.<Object>param(0)), new CountedTemplate(content));
  }

  /** A name without a value in any scope. */
  static final class Undefined extends RuntimeException {
    private static final long serialVersionUID = 1;

    Undefined(String name, Collection<String> known) {
      super("undefined variable `" + name + "`" + Nearest.hint(name, known), null, false, false);
    }
  }

  private HandlebarsVocabulary() {}
}
