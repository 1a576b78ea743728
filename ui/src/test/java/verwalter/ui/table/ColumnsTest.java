package verwalter.ui.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ColumnsTest {
  /** Each class loader initializes its own classes, beginning with the one that is named. */
  @ParameterizedTest
  @ValueSource(strings = {"Columns", "NodeColumns", "RoleInstanceColumns", "ProcessColumns"})
  void eachClassOfColumnsCanBeTheFirstThatIsUsed(String name) throws Exception {
    try (var fresh = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
      assertThat(Class.forName("verwalter.ui.table." + name, true, fresh)).isNotNull();
      assertThat(Class.forName("verwalter.ui.table.Columns", true, fresh)).isNotNull();
    }
  }

  private static URL[] classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(ColumnsTest::url)
        .toArray(URL[]::new);
  }

  private static URL url(String path) {
    try {
      return Path.of(path).toUri().toURL();
    } catch (MalformedURLException impossible) {
      throw new IllegalArgumentException(path, impossible);
    }
  }
}
