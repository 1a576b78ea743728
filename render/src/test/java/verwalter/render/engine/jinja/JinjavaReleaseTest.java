package verwalter.render.engine.jinja;

import static org.assertj.core.api.Assertions.assertThat;

import com.hubspot.jinjava.Jinjava;
import java.io.IOException;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** This package replaces internals of jinjava, so it fits one release only. */
class JinjavaReleaseTest {
  private static final String RELEASE = "2.8.4";

  private static final String CHECK =
      """
      jinjava is another release than %s, for which this package was written. It replaces parts of \
      jinjava that may change with any release. Compare these between the two releases, then change \
      the number in this test:
        StrictInterpreter: JinjavaInterpreter.render, resolveELExpression, getAsString, addError
        StrictContext: Context.getFilter, getExpTest and the dynamic variables
        StrictFor, PrintTag, WithTag, FilterTag: the tags of the same names and ForTag's loop variables
        StrictOutput: ExpressionNode and the output strategy for expressions
        StrictProperties: JinjavaInterpreterResolver, and the calls of filters and tests
        JinjaParser, JinjaNodes: ExtendedParser and its operators, AstDict and AstRangeBracket
        JinjaNames: the names that JinjavaInterpreterResolver looks up elsewhere than in a value
        JinjaFilters, JinjaTest, JinjaFunctions: new tags, filters, tests and functions of Jinja
      Then run MutatedJinjaTest with other seeds, JinjaDifferentialTest, EscapeTest and CostTest."""
          .formatted(RELEASE);

  @Test
  void packageFitsReleaseOfJinjava() throws IOException {
    var properties = new Properties();
    try (var in =
        Jinjava.class.getResourceAsStream(
            "/META-INF/maven/com.hubspot.jinjava/jinjava/pom.properties")) {
      assertThat(in).as("the release of jinjava").isNotNull();
      properties.load(in);
    }
    assertThat(properties.getProperty("version")).as(CHECK).isEqualTo(RELEASE);
  }
}
