package verwalter.render.engine.jinja;

import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.lib.exptest.ExpTest;
import org.jspecify.annotations.Nullable;

/** {@code x is defined} and its negation. The test does not count as use of an undefined name. */
final class DefinedTest implements ExpTest {
  private final String name;
  private final boolean defined;

  DefinedTest(String name, boolean defined) {
    this.name = name;
    this.defined = defined;
  }

  @Override
  public String getName() {
    return name;
  }

  @Override
  public boolean evaluate(
      @Nullable Object value, JinjavaInterpreter interpreter, Object... arguments) {
    boolean missing = value == null && StrictInterpreter.of(interpreter).lookups().forgive();
    return defined != missing;
  }
}
