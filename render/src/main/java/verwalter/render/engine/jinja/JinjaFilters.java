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
          new JinjaFilter("abs", NumberFilters::abs),
          new JinjaFilter("round", NumberFilters::round),
          new JinjaFilter("int", NumberFilters::integer),
          new JinjaFilter("float", NumberFilters::real),
          new JinjaFilter("filesizeformat", NumberFilters::fileSize),
          new JinjaFilter("sum", NumberFilters::sum),
          new JinjaFilter("tojson", TextFilters::json),
          new JinjaFilter("pprint", call -> Python.shown(call.value(), call.limit())),
          new JinjaFilter("string", Call::text),
          new JinjaFilter("truncate", TextFilters::truncate),
          new JinjaFilter("urlencode", TextFilters::urlEncode),
          new JinjaFilter("lower", TextFilters::lower),
          new JinjaFilter("upper", TextFilters::upper),
          new JinjaFilter("capitalize", call -> PythonText.capitalize(call.text())),
          new JinjaFilter("title", call -> PythonText.title(call.text())),
          new JinjaFilter("trim", TextFilters::trim),
          new JinjaFilter("center", TextFilters::center),
          new JinjaFilter("indent", TextFilters::indent),
          new JinjaFilter("replace", TextFilters::replace),
          new JinjaFilter("format", TextFilters::format),
          new JinjaFilter("escape", TextFilters::escape),
          new JinjaFilter("e", TextFilters::escape),
          new JinjaFilter("forceescape", TextFilters::escape),
          new JinjaFilter("xmlattr", TextFilters::xmlAttributes),
          new JinjaFilter("striptags", call -> text(new StripTagsFilter(), call)),
          new JinjaFilter("urlize", call -> text(new UrlizeFilter(), call)),
          new JinjaFilter("wordcount", call -> text(new WordCountFilter(), call)),
          new JinjaFilter("wordwrap", JinjaFilters::wordWrap),
          new JinjaFilter("length", ListFilters::length),
          new JinjaFilter("count", ListFilters::length),
          new JinjaFilter("reverse", ListFilters::reverse),
          new JinjaFilter("list", ListFilters::list),
          new JinjaFilter("groupby", ListFilters::groupBy),
          new JinjaFilter("join", ListFilters::join),
          new JinjaFilter("first", call -> ListFilters.end(call, 0)),
          new JinjaFilter("last", call -> ListFilters.end(call, -1)),
          new JinjaFilter("min", call -> ListFilters.extreme(call, 1)),
          new JinjaFilter("max", call -> ListFilters.extreme(call, -1)),
          new JinjaFilter("sort", ListFilters::sort),
          new JinjaFilter("unique", ListFilters::unique),
          new JinjaFilter("batch", ListFilters::batch),
          new JinjaFilter("slice", ListFilters::slice),
          new JinjaFilter("items", ListFilters::items),
          new JinjaFilter("dictsort", ListFilters::dictSort),
          new JinjaFilter("map", ListFilters::map),
          new JinjaFilter("select", call -> ListFilters.chosen(call, false, true)),
          new JinjaFilter("reject", call -> ListFilters.chosen(call, false, false)),
          new JinjaFilter("selectattr", call -> ListFilters.chosen(call, true, true)),
          new JinjaFilter("rejectattr", call -> ListFilters.chosen(call, true, false)));

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
