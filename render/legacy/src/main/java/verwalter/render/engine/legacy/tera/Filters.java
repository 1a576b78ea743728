package verwalter.render.engine.legacy.tera;

import static java.util.Map.entry;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All filters by name: those of 0.10, and later ones that configuration files need. */
final class Filters {
  static final Map<String, TeraFilter> ALL =
      Map.ofEntries(
          entry("upper", TeraFilter.ofText(TextFilters::upper)),
          entry("lower", TeraFilter.ofText(TextFilters::lower)),
          entry("trim", TeraFilter.ofText(Space::without)),
          entry("truncate", TeraFilter.ofText(TextFilters::truncate, "length", "end")),
          entry("wordcount", TeraFilter.ofText(TextFilters::wordCount)),
          entry("replace", TeraFilter.ofText(TextFilters::replace, "from", "to")),
          entry("capitalize", TeraFilter.ofText(TextFilters::capitalize)),
          entry("title", TeraFilter.ofText(TextFilters::title)),
          entry("striptags", TeraFilter.ofText(TextFilters::stripTags)),
          entry("urlencode", TeraFilter.ofText(TextFilters::urlEncode, "safe")),
          entry("escape", TeraFilter.ofText(TextFilters::escape)),
          entry("slugify", TeraFilter.ofText(TextFilters::slugify)),
          entry("addslashes", TeraFilter.ofText(TextFilters::addSlashes)),
          entry("split", TeraFilter.ofText(TextFilters::split, "pat")),
          entry("first", TeraFilter.ofList(ListFilters::first)),
          entry("last", TeraFilter.ofList(ListFilters::last)),
          entry("nth", TeraFilter.ofList(ListFilters::nth, "n")),
          entry("join", TeraFilter.ofList(ListFilters::join, "sep")),
          entry("sort", TeraFilter.ofList(ListFilters::sort, "attribute")),
          entry("unique", TeraFilter.ofList(ListFilters::unique)),
          entry("slice", TeraFilter.ofList(ListFilters::slice, "start", "end")),
          entry("concat", TeraFilter.ofList(ListFilters::concat, "with")),
          entry("filter", TeraFilter.ofList(ListFilters::filter, "attribute", "value")),
          entry("group_by", TeraFilter.ofList(ListFilters::groupBy, "attribute")),
          entry("map", TeraFilter.ofList(ListFilters::map, "attribute")),
          entry("pluralize", TeraFilter.any(NumberFilters::pluralize, "suffix")),
          entry("round", TeraFilter.any(NumberFilters::round, "method", "precision")),
          entry("abs", TeraFilter.any(NumberFilters::abs)),
          entry("int", TeraFilter.any(NumberFilters::integer)),
          entry("filesizeformat", TeraFilter.any(NumberFilters::fileSize)),
          entry("date", TeraFilter.any(Dates::date, "format")),
          entry("length", TeraFilter.any(Filters::length)),
          entry("reverse", TeraFilter.any(Filters::reverse)),
          entry("get", TeraFilter.any(Filters::get, "key", "default")),
          entry("keys", TeraFilter.any(Filters::keys)),
          entry("as_str", TeraFilter.any(call -> TeraValues.text(call.value(), call.budget()))),
          entry("json_encode", TeraFilter.any(Filters::json, "pretty")),
          entry("default", TeraFilter.any(Arguments::value, "value")),
          entry("safe", TeraFilter.any(Arguments::value)));

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
    boolean pretty = call.has("pretty") && TeraValues.isTrue(call.any("pretty"));
    return TeraJson.of(call.value(), pretty, call.budget());
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
