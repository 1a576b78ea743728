package verwalter.render.engine.jinja;

import com.hubspot.jinjava.interpret.Context;
import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.lib.exptest.ExpTest;
import com.hubspot.jinjava.lib.filter.Filter;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import verwalter.render.engine.Nearest;
import verwalter.render.engine.jinja.JinjaPlaces.Subject;
import verwalter.render.engine.jinja.JinjaPlaces.Subject.Kind;

/** The outermost scope of a rendering; reports an unknown variable, filter or test. */
final class StrictContext extends Context {
  StrictContext(Context global, Map<String, Object> variables, Map<Library, Set<String>> disabled) {
    super(global, variables, disabled);
    setExpressionStrategy(new StrictOutput());
    setDynamicVariableResolver(name -> current().unknown(name));
  }

  private static StrictInterpreter current() {
    return StrictInterpreter.of(JinjavaInterpreter.getCurrent());
  }

  @Override
  public @Nullable Filter getFilter(String name) {
    var filter = JinjaVocabulary.FILTERS.contains(name) ? super.getFilter(name) : null;
    if (filter == null) {
      unknown(Kind.FILTER, name, JinjaVocabulary.FILTERS);
    }
    return filter;
  }

  @Override
  public @Nullable ExpTest getExpTest(String name) {
    var test = JinjaVocabulary.TESTS.contains(name) ? super.getExpTest(name) : null;
    if (test == null) {
      unknown(Kind.TEST, name, JinjaVocabulary.TESTS);
    }
    return test;
  }

  private static void unknown(Kind what, String name, Collection<String> known) {
    current()
        .fail(
            "there is no "
                + what.toString().toLowerCase(Locale.ROOT)
                + " `"
                + name
                + "`"
                + Nearest.hint(name, known),
            new Subject(what, name));
  }
}
