package verwalter.supervisor.lithos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParsedFilesTest {
  @TempDir private Path directory;

  private final List<String> parsed = new ArrayList<>();
  private final ParsedFiles<Integer> files =
      new ParsedFiles<>(
          (text, file) -> {
            parsed.add(text);
            if (text.equals("bad")) {
              throw new ConfigException(List.of(new ConfigProblem(file.toString(), 1, 1, text)));
            }
            return text.length();
          });

  @Test
  void parsesAFileAgainOnlyWhenItsTextDiffers() throws Exception {
    var file = directory.resolve("a.yaml");
    Files.writeString(file, "one");
    assertThat(files.read(file)).isEqualTo(3);
    var modified = Files.getLastModifiedTime(file);
    assertThat(files.read(file)).isEqualTo(3);
    // The same size and time, as an editor may leave it.
    Files.writeString(file, "two");
    Files.setLastModifiedTime(file, modified);
    assertThat(files.read(file)).isEqualTo(3);
    Files.writeString(file, "three");
    assertThat(files.read(file)).isEqualTo(5);

    assertThat(parsed).containsExactly("one", "two", "three");
  }

  @Test
  void keepsNoFailure() throws IOException {
    var file = directory.resolve("a.yaml");
    Files.writeString(file, "bad");
    assertThatThrownBy(() -> files.read(file)).isInstanceOf(ConfigException.class);
    assertThatThrownBy(() -> files.read(file)).isInstanceOf(ConfigException.class);
    assertThat(parsed).containsExactly("bad", "bad");
  }

  @Test
  void dropsTheFilesThatWereNotUsedForTheLongestTime() throws Exception {
    for (int number = 0; number <= 1_000; number++) {
      var file = directory.resolve(number + ".yaml");
      Files.writeString(file, "text");
      files.read(file);
    }
    files.read(directory.resolve("1.yaml"));
    assertThat(parsed).hasSize(1_001);
    files.read(directory.resolve("0.yaml"));
    assertThat(parsed).hasSize(1_002);
  }
}
