package verwalter.render.engine.legacy.tera;

import static java.util.Map.entry;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All filters by name: those of 0.10, and later ones that configuration files need. */
final class Filters {
  static final Map<String, Filter> ALL =
      Map.ofEntries(
          entry("upper", Filter.ofText(TextFilters::upper)),
          entry("lower", Filter.ofText(TextFilters::lower)),
          entry("trim", Filter.ofText(Space::without)),
          entry("truncate", Filter.ofText(TextFilters::truncate, "length", "end")),
          entry("wordcount", Filter.ofText(TextFilters::wordCount)),
          entry("replace", Filter.ofText(TextFilters::replace, "from", "to")),
          entry("capitalize", Filter.ofText(TextFilters::capitalize)),
          entry("title", Filter.ofText(TextFilters::title)),
          entry("striptags", Filter.ofText(TextFilters::stripTags)),
          entry("urlencode", Filter.ofText(TextFilters::urlEncode, "safe")),
          entry("escape", Filter.ofText(TextFilters::escape)),
          entry("slugify", Filter.ofText(TextFilters::slugify)),
          entry("addslashes", Filter.ofText(TextFilters::addSlashes)),
          entry("split", Filter.ofText(TextFilters::split, "pat")),
          entry("first", Filter.ofList(ListFilters::first)),
          entry("last", Filter.ofList(ListFilters::last)),
          entry("nth", Filter.ofList(ListFilters::nth, "n")),
          entry("join", Filter.ofList(ListFilters::join, "sep")),
          entry("sort", Filter.ofList(ListFilters::sort, "attribute")),
          entry("unique", Filter.ofList(ListFilters::unique)),
          entry("slice", Filter.ofList(ListFilters::slice, "start", "end")),
          entry("concat", Filter.ofList(ListFilters::concat, "with")),
          entry("filter", Filter.ofList(ListFilters::filter, "attribute", "value")),
          entry("group_by", Filter.ofList(ListFilters::groupBy, "attribute")),
          entry("map", Filter.ofList(ListFilters::map, "attribute")),
          entry("pluralize", Filter.any(NumberFilters::pluralize, "suffix")),
          entry("round", Filter.any(NumberFilters::round, "method", "precision")),
          entry("abs", Filter.any(NumberFilters::abs)),
          entry("int", Filter.any(NumberFilters::integer)),
          entry("filesizeformat", Filter.any(NumberFilters::fileSize)),
          entry("date", Filter.any(Dates::date, "format")),
          entry("length", Filter.any(Filters::length)),
          entry("reverse", Filter.any(Filters::reverse)),
          entry("get", Filter.any(Filters::get, "key", "default")),
          entry("keys", Filter.any(Filters::keys)),
          entry("as_str", Filter.any(call -> Values.text(call.value(), call.budget()))),
          entry("json_encode", Filter.any(Filters::json, "pretty")),
          entry("default", Filter.any(Arguments::value, "value")),
          entry("safe", Filter.any(Arguments::value)));

  private static Object length(Arguments call) {
    if (call.value() instanceof String text) {
      call.budget().work(text.length());
      return (long) text.codePointCount(0, text.length());
    }
    if (call.value() instanceof Map<?, ?> map) {
      return (long) map.size();
    }
    return call.value() instanceof List<?> list ? (long) list.size() : 0L;
  }

  private static Object reverse(Arguments call) {
    if (call.value() instanceof String text) {
      return call.budget().paid(new StringBuilder(text).reverse().toString());
    }
    if (call.value() instanceof List<?>) {
      return ListFilters.reverse(call);
    }
    throw call.takes("a text or a list");
  }

  private static @Nullable Object get(Arguments call) {
    if (!(call.value() instanceof Map<?, ?> map)) {
      throw call.takes("a map");
    }
    var key = call.text("key");
    if (map.containsKey(key)) {
      return map.get(key);
    }
    if (call.has("default")) {
      return call.any("default");
    }
    throw new Absent(key, map);
  }

  private static Object keys(Arguments call) {
    if (!(call.value() instanceof Map<?, ?> map)) {
      throw call.takes("a map");
    }
    call.budget().list(map.size());
    return List.copyOf(map.keySet());
  }

  private static Object json(Arguments call) {
    boolean pretty = call.has("pretty") && Values.isTrue(call.any("pretty"));
    return JsonText.of(call.value(), pretty, call.budget());
  }

  static List<String> names(Map<?, ?> map) {
    return map.keySet().stream().map(String::valueOf).toList();
  }

  /** The error of a missing key; the caller adds the position. */
  static final class Absent extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String key;
    private final transient Map<?, ?> map;

    Absent(String key, Map<?, ?> map) {
      super(key, null, false, false);
      this.key = key;
      this.map = map;
    }

    String key() {
      return key;
    }

    Map<?, ?> map() {
      return map;
    }
  }

  private Filters() {}
}
