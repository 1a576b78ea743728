package verwalter.render.engine.jinja;

import com.hubspot.jinjava.interpret.Context.Library;
import com.hubspot.jinjava.lib.Importable;
import com.hubspot.jinjava.lib.fn.ELFunctionDefinition;
import com.hubspot.jinjava.lib.fn.FunctionLibrary;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The filters, tests and functions that templates can use. Those of jinjava beyond are unknown. */
final class JinjaVocabulary {
  static final Set<String> FILTERS = names(JinjaFilters.ALL);
  static final Set<String> TESTS = names(JinjaTest.ALL);

  private static final Set<String> FUNCTIONS = Set.of(":range", ":super", ":namespace");

  /** What jinjava defines and templates cannot use. */
  static final Map<Library, Set<String>> DISABLED =
      Map.of(
          Library.FUNCTION,
          new FunctionLibrary(true, Set.of())
              .entries().stream()
                  .map(ELFunctionDefinition::getName)
                  .filter(name -> !FUNCTIONS.contains(name))
                  .collect(Collectors.toUnmodifiableSet()));

  private static Set<String> names(Collection<? extends Importable> all) {
    return all.stream().map(Importable::getName).collect(Collectors.toUnmodifiableSet());
  }

  private JinjaVocabulary() {}
}
