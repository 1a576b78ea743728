package verwalter.render.engine.jinja;

import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.lib.filter.Filter;
import com.hubspot.jinjava.lib.filter.SafeFilter;
import com.hubspot.jinjava.lib.filter.StripTagsFilter;
import com.hubspot.jinjava.lib.filter.UrlizeFilter;
import com.hubspot.jinjava.lib.filter.WordCountFilter;
import com.hubspot.jinjava.lib.filter.WordWrapFilter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import verwalter.render.engine.jinja.JinjaFilter.Call;

/** All filters: those of Python's Jinja, except {@code random}. */
final class JinjaFilters {
  static final List<Filter> ALL =
      List.of(
          new DefaultFilter("default"),
          new DefaultFilter("d"),
          new SafeFilter(),
          new JinjaFilter("attr", JinjaFilters::attribute),
          new JinjaFilter("abs", JinjaNumberFilters::abs),
          new JinjaFilter("round", JinjaNumberFilters::round),
          new JinjaFilter("int", JinjaNumberFilters::integer),
          new JinjaFilter("float", JinjaNumberFilters::real),
          new JinjaFilter("filesizeformat", JinjaNumberFilters::fileSize),
          new JinjaFilter("sum", JinjaNumberFilters::sum),
          new JinjaFilter("tojson", JinjaTextFilters::json),
          new JinjaFilter("pprint", call -> Python.shown(call.value(), call.limit())),
          new JinjaFilter("string", Call::text),
          new JinjaFilter("truncate", JinjaTextFilters::truncate),
          new JinjaFilter("urlencode", JinjaTextFilters::urlEncode),
          new JinjaFilter("lower", JinjaTextFilters::lower),
          new JinjaFilter("upper", JinjaTextFilters::upper),
          new JinjaFilter("capitalize", call -> PythonText.capitalize(call.text())),
          new JinjaFilter("title", call -> PythonText.title(call.text())),
          new JinjaFilter("trim", JinjaTextFilters::trim),
          new JinjaFilter("center", JinjaTextFilters::center),
          new JinjaFilter("indent", JinjaTextFilters::indent),
          new JinjaFilter("replace", JinjaTextFilters::replace),
          new JinjaFilter("format", JinjaTextFilters::format),
          new JinjaFilter("escape", JinjaTextFilters::escape),
          new JinjaFilter("e", JinjaTextFilters::escape),
          new JinjaFilter("forceescape", JinjaTextFilters::escape),
          new JinjaFilter("xmlattr", JinjaTextFilters::xmlAttributes),
          new JinjaFilter("striptags", call -> text(new StripTagsFilter(), call)),
          new JinjaFilter("urlize", call -> text(new UrlizeFilter(), call)),
          new JinjaFilter("wordcount", call -> text(new WordCountFilter(), call)),
          new JinjaFilter("wordwrap", JinjaFilters::wordWrap),
          new JinjaFilter("length", JinjaListFilters::length),
          new JinjaFilter("count", JinjaListFilters::length),
          new JinjaFilter("reverse", JinjaListFilters::reverse),
          new JinjaFilter("list", JinjaListFilters::list),
          new JinjaFilter("groupby", JinjaListFilters::groupBy),
          new JinjaFilter("join", JinjaListFilters::join),
          new JinjaFilter("first", call -> JinjaListFilters.end(call, 0)),
          new JinjaFilter("last", call -> JinjaListFilters.end(call, -1)),
          new JinjaFilter("min", call -> JinjaListFilters.extreme(call, 1)),
          new JinjaFilter("max", call -> JinjaListFilters.extreme(call, -1)),
          new JinjaFilter("sort", JinjaListFilters::sort),
          new JinjaFilter("unique", JinjaListFilters::unique),
          new JinjaFilter("batch", JinjaListFilters::batch),
          new JinjaFilter("slice", JinjaListFilters::slice),
          new JinjaFilter("items", JinjaListFilters::items),
          new JinjaFilter("dictsort", JinjaListFilters::dictSort),
          new JinjaFilter("map", JinjaListFilters::map),
          new JinjaFilter("select", call -> JinjaListFilters.chosen(call, false, true)),
          new JinjaFilter("reject", call -> JinjaListFilters.chosen(call, false, false)),
          new JinjaFilter("selectattr", call -> JinjaListFilters.chosen(call, true, true)),
          new JinjaFilter("rejectattr", call -> JinjaListFilters.chosen(call, true, false)));

  private static @Nullable Object attribute(Call call) {
    var value = call.value();
    if (value == null) {
      throw new JinjaError("`attr` takes a value");
    }
    return call.in().resolveProperty(value, call.text(0, "name", ""));
  }

  /** Applies a filter of jinjava to a text. It sees no lists, whose text may be long. */
  private static @Nullable Object text(Filter filter, Call call) {
    if (call.arguments().stream().anyMatch(Python::isNested)
        || call.named().values().stream().anyMatch(Python::isNested)) {
      throw new JinjaError("`" + filter.getName() + "` takes no list as argument");
    }
    return filter.filter(call.text(), call.in(), call.arguments().toArray(), call.named());
  }

  private static @Nullable Object wordWrap(Call call) {
    int width = call.integer(0, "width", 79);
    if (width < 1) {
      throw new JinjaError("`wordwrap` takes a width of at least 1");
    }
    boolean cuts = !Boolean.FALSE.equals(call.argument(1, "break_long_words", true));
    JavaText wrap = new WordWrapFilter()::filter;
    return wrap.filter(call.text(), call.in(), Integer.toString(width), Boolean.toString(cuts));
  }

  /** A filter of jinjava that takes texts. */
  private interface JavaText {
    @Nullable Object filter(Object value, JinjavaInterpreter in, String... arguments);
  }

  private JinjaFilters() {}
}
