package verwalter.controllers.config;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.model.json.Json;

class RuntimeDirectoryTest {
  @TempDir Path config;
  Path root;
  private final Mounts mounts = new Mounts();

  /** The record of an agent that is not stopped. */
  private static final class Mounts implements RuntimeDirectory.MountRecord {
    private boolean mounted;

    @Override
    public boolean wasMounted() {
      return mounted;
    }

    @Override
    public void setMounted(boolean now) {
      mounted = now;
    }
  }

  @BeforeEach
  void makeRoot() throws IOException {
    root = Files.createDirectory(config.resolve("runtime"));
  }

  private void write(String path, String text) throws IOException {
    var file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private RuntimeReading read() throws IOException {
    return new RuntimeDirectory(config, mounts).read();
  }

  private String json() throws IOException {
    var reading = read();
    assertThat(reading.problems()).isEmpty();
    return Json.canonical(reading.roles());
  }

  @Test
  void readsTheExampleOfTheSpecification() throws Exception {
    write("shop/v2/processes.yaml", "web: {image: w2}\n");
    write("shop/v3.json", "{\"n\": 1.0}");
    assertThat(json())
        .isEqualTo(
            "{\"shop\":{\"v2\":{\"processes\":{\"web\":{\"image\":\"w2\"}}},\"v3\":{\"n\":1.0}}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a.yaml|b: 1|{\"a\":{\"b\":1}}",
        "a.yml|1|{\"a\":1}",
        "a.json|\"x\"|{\"a\":\"x\"}",
        "a.txt| x |{\"a\":\"x\"}",
        "conf.d/a.yaml|1|{\"conf\":{\"a\":1}}",
        "x.yaml/y.json/z.txt|1|{\"x\":{\"y\":{\"z\":\"1\"}}}",
        "v1.0.2/a.yaml|1|{\"v1.0.2\":{\"a\":1}}",
        "v1.0.yaml|1|{\"v1.0\":1}",
        "a b.yaml|1|{\"a b\":1}",
        "a#.yaml|1|{\"a#\":1}",
        "r/v1.yaml|``|{\"r\":{\"v1\":null}}",
        "README.md|1|{}",
        "README|1|{}",
        "yaml|1|{}",
        "a.yaml.|1|{}",
        "a.YAML|1|{}",
        ".a.yaml|1|{}",
        ".git/a.yaml|1|{}",
        "a.yaml~|1|{}",
        "a.yaml.bak|1|{}",
        "a.bak/a.yaml|1|{}",
        "#a.yaml#|1|{}",
        "a~/a.yaml|1|{}",
      })
  void namesBecomeKeys(String path, String text, String json) throws Exception {
    write(path, text);
    assertThat(json()).isEqualTo(json);
  }

  @Test
  void textFilesKeepEveryCharacter() throws Exception {
    write("a.txt", " x\r\n\n");
    assertThat(read().roles()).isEqualTo(Map.of("a", " x\r\n\n"));
  }

  @Test
  void directoriesAddToFilesOfTheSameKeyInAnyOrderOnDisk() throws Exception {
    write("a/b.yaml", "new");
    write("a.yaml", "{b: old, c: kept}");
    write("a.d/d.yaml", "1");
    assertThat(json()).isEqualTo("{\"a\":{\"b\":\"new\",\"c\":\"kept\",\"d\":1}}");
  }

  @Test
  void aDirectoryReplacesAValueThatIsNotAnObject() throws Exception {
    write("a.yaml", "[1]");
    write("a/b.yaml", "1");
    assertThat(json()).isEqualTo("{\"a\":{\"b\":1}}");
  }

  @Test
  void theLastNameWinsAmongFilesWithTheSameKey() throws Exception {
    write("a.yaml", "yaml");
    write("a.txt", "txt");
    write("a.json", "1");
    assertThat(read().roles()).isEqualTo(Map.of("a", "yaml"));
  }

  @Test
  void aBrokenFileAffectsItsRoleOnly() throws Exception {
    write("bad/v1.yaml", "a: 1\nb: [\n");
    write("bad/v2.yaml", "a: .inf");
    write("bad/v3.yaml", "a: 1");
    write("worse.json", "{,}");
    write("good.yaml", "a: 1");
    var reading = read();
    assertThat(reading.roles()).isEqualTo(Map.of("good", Map.of("a", 1L)));
    assertThat(reading.problems()).containsOnlyKeys("bad", "worse");
    assertThat(reading.problems().get("bad"))
        .satisfiesExactly(
            first -> assertThat(first).startsWith(root + "/bad/v1.yaml:3:1: "),
            second -> assertThat(second).startsWith(root + "/bad/v2.yaml:1:4: "));
    assertThat(reading.problems().get("worse").get(0)).startsWith(root + "/worse.json:1:2: ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "~", "# nothing"})
  void anEmptyFileDoesNotRemoveTheRole(String text) throws Exception {
    write("shop.yaml", text);
    assertThat(read().roles()).isEmpty();
    assertThat(read().problems().get("shop").get(0)).contains("the role is null");
  }

  @Test
  void textThatIsNotUtf8IsReportedWithLineAndColumn() throws Exception {
    Files.write(root.resolve("a.txt"), "one\ntwö".getBytes(ISO_8859_1));
    assertThat(read().problems())
        .isEqualTo(Map.of("a", List.of(root + "/a.txt:2:3: the text is not UTF-8")));
  }

  @Test
  void linksToFilesAreReadAndLinksToDirectoriesAreNot() throws Exception {
    var outside = Files.createDirectory(config.resolve("outside"));
    Files.writeString(outside.resolve("a.yaml"), "1");
    Files.createSymbolicLink(root.resolve("file.yaml"), outside.resolve("a.yaml"));
    Files.createSymbolicLink(root.resolve("directory"), outside);
    Files.createSymbolicLink(root.resolve("like-a-file.yaml"), outside);
    Files.createSymbolicLink(root.resolve("nowhere.yaml"), outside.resolve("b"));
    var reading = read();
    assertThat(reading.roles()).isEqualTo(Map.of("file", 1L));
    assertThat(reading.problems()).containsOnlyKeys("like-a-file", "nowhere");
    assertThat(reading.problems().get("nowhere").get(0)).endsWith("cannot be read: NoSuchFile");
  }

  @Test
  void theRuntimeDirectoryItselfMayBeALink() throws Exception {
    write("a.yaml", "1");
    var moved = Files.move(root, config.resolve("elsewhere"));
    Files.createSymbolicLink(root, moved);
    assertThat(read().roles()).isEqualTo(Map.of("a", 1L));
  }

  @Test
  void aNamedPipeIsRefusedWithoutBlocking() throws Exception {
    var mkfifo = new ProcessBuilder("mkfifo", root.resolve("a.yaml").toString()).start();
    assertThat(mkfifo.waitFor()).isZero();
    assertThat(read().problems().get("a").get(0)).endsWith("is not a regular file");
  }

  @Test
  void missingRuntimeDirectoryIsErrorAndEmptyOneIsNot() throws Exception {
    assertThat(read().roles()).isEmpty();
    assertThat(read().problems()).isEmpty();
    Files.delete(root);
    assertThatThrownBy(this::read)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("runtime: does not exist; if there are no roles, make it an empty");
  }

  @Test
  void emptyDirectoryOnOtherFileSystemIsUnmounted() throws Exception {
    write("a.txt", "1");
    var directory = new RuntimeDirectory(config, mounts);
    assertThat(directory.read().roles()).containsOnlyKeys("a");
    var elsewhere = Files.createTempDirectory(Path.of("/dev/shm"), "empty");
    try {
      Files.move(root, config.resolve("moved"));
      Files.createSymbolicLink(root, elsewhere);
      assertThatThrownBy(directory::read).hasMessageContaining("is not mounted");
      Files.writeString(elsewhere.resolve("b.txt"), "1");
      assertThat(directory.read().roles()).as("a file system with files").containsOnlyKeys("b");
      Files.delete(elsewhere.resolve("b.txt"));
      assertThat(directory.read().roles()).as("the same file system, empty").isEmpty();
    } finally {
      Files.deleteIfExists(elsewhere.resolve("b.txt"));
      Files.delete(elsewhere);
    }
  }

  @Test
  void emptyMountPointIsUnknownAfterStart() throws Exception {
    var elsewhere = Files.createTempDirectory(Path.of("/dev/shm"), "mounted");
    try {
      Files.delete(root);
      Files.createSymbolicLink(root, elsewhere);
      Files.writeString(elsewhere.resolve("a.txt"), "1");
      assertThat(read().roles()).containsOnlyKeys("a");
      Files.delete(root);
      Files.createDirectory(root);
      assertThatThrownBy(this::read)
          .hasMessageContaining("is not mounted")
          .hasMessageContaining("write a file of a role into it, and remove it");

      write("b.txt", "1");
      assertThat(read().roles()).containsOnlyKeys("b");
      Files.delete(root.resolve("b.txt"));
      assertThat(read().roles()).isEmpty();
    } finally {
      Files.delete(elsewhere.resolve("a.txt"));
      Files.delete(elsewhere);
    }
  }

  @Test
  void mountedDirectoryMayBeEmptyAtStart() throws Exception {
    var elsewhere = Files.createTempDirectory(Path.of("/dev/shm"), "mounted");
    try {
      Files.delete(root);
      Files.createSymbolicLink(root, elsewhere);
      mounts.setMounted(true);
      assertThat(read().roles()).isEmpty();
    } finally {
      Files.delete(elsewhere);
    }
  }

  @Test
  void fileOfTheKernelIsRefusedWithoutBlocking() throws Exception {
    Files.createSymbolicLink(root.resolve("a.txt"), Path.of("/proc/kmsg"));
    Files.createFile(root.resolve("b.txt"));
    assertThat(read().problems().get("a").get(0)).endsWith("is a file of the kernel");
    assertThat(read().roles()).isEqualTo(Map.of("b", ""));
  }

  @Test
  void aMissingConfigurationDirectoryIsAnError() {
    var nowhere = new RuntimeDirectory(config.resolve("nowhere"), mounts);
    assertThatThrownBy(nowhere::read)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("nowhere");
  }

  @Test
  void inputBeyondTheLimitsIsRefused() throws Exception {
    write("a.txt", "12345");
    write("b.txt", "123456");
    write("c.txt", "12345");
    var small = new RuntimeDirectory(config, mounts, new RuntimeDirectory.Limits(5, 3, 10)).read();
    assertThat(small.roles()).containsOnlyKeys("a", "c");
    assertThat(small.problems().get("b").get(0)).endsWith("has more than 5 bytes");
    assertThatThrownBy(
            new RuntimeDirectory(config, mounts, new RuntimeDirectory.Limits(5, 2, 10))::read)
        .hasMessageContaining("more than 2 files");
    assertThatThrownBy(
            new RuntimeDirectory(config, mounts, new RuntimeDirectory.Limits(9, 3, 15))::read)
        .hasMessageContaining("more than 15 bytes together");
  }

  @Test
  void directoriesNestAtMostAHundredLevels() throws Exception {
    write("good/" + "d/".repeat(99) + "a.yaml", "1");
    write("bad/" + "d/".repeat(100) + "a.yaml", "1");
    var reading = read();
    assertThat(reading.roles()).containsOnlyKeys("good");
    assertThat(reading.problems()).containsOnlyKeys("bad");
    assertThat(reading.problems().get("bad").get(0)).endsWith("nest deeper than 100 levels");
  }

  @Test
  void aNameThatIsNotUtf8IsReported() throws Exception {
    write("good/v1.yaml", "1");
    var script =
        "cd \"$1\" && mkdir bad && : > \"$(printf '\\377').yaml\" && cd bad && : > \"$(printf '\\377a')\"";
    var made = new ProcessBuilder("sh", "-c", script, "sh", root.toString()).start();
    assertThat(made.waitFor()).isZero();
    var reading = read();
    assertThat(reading.roles()).containsOnlyKeys("good");
    assertThat(reading.problems()).containsOnlyKeys("bad", "\ufffd");
    assertThat(reading.problems().get("bad").get(0)).endsWith("the name is not UTF-8");
    assertThat(reading.problems().get("\ufffd").get(0)).endsWith("the name is not UTF-8");
  }

  @Test
  void reportsPoliciesThatCannotBeRead() throws Exception {
    write("web/settings.yaml", "node_loss_policy: soon\n");
    write("web/v1.yaml", "n: 1\n");
    write("db/minority_policy.txt", "panic");
    write("queue.yaml", "{node_loss_policy: 1s, minority_policy: {stop_after: never}}");
    write("good/settings.yaml", "{node_loss_policy: 20s, minority_policy: {stop_after: 10m}}");
    var reading = read();
    assertThat(reading.roles()).containsOnlyKeys("good");
    assertThat(reading.problems()).containsOnlyKeys("web", "db", "queue");
    assertThat(reading.problems().get("web"))
        .containsExactly(
            root.resolve("web/settings.yaml")
                + ": node_loss_policy must be default, critical, never, or a duration of at least 5s"
                + " such as 30s, not soon");
    assertThat(reading.problems().get("db").get(0))
        .startsWith(root.resolve("db/minority_policy.txt") + ": minority_policy must be freeze");
    assertThat(reading.problems().get("queue"))
        .satisfiesExactly(
            loss -> assertThat(loss).startsWith(root.resolve("queue.yaml") + ": node_loss_policy"),
            side -> assertThat(side).startsWith(root.resolve("queue.yaml") + ": minority_policy"));
  }

  @Test
  void invalidSettingsOfVersionsAreProblemsOfTheirRole() throws IOException {
    write("web/v1.yaml", "{update: {changes: never, before: 1}}");
    write("web/v2/start.yaml", "delay: long");
    write("db.yaml", "{v1: {image: {url: /db.tar}, update: revert}}");
    write("good/v1.yaml", "{update: {on-failure: revert}, start: {delay: 60s, memory: 2GB}}");

    var reading = read();

    assertThat(reading.roles()).containsOnlyKeys("good");
    assertThat(reading.problems().get("web"))
        .containsExactly(
            root.resolve("web/v1.yaml") + ": v1.update.changes must be live or staged, not never",
            root.resolve("web/v1.yaml")
                + ": v1.update.before is not known; update has the fields changes, on-failure,"
                + " prepare",
            root.resolve("web/v2/start.yaml")
                + ": v2.start.delay must be a duration of at most 24h, such as 90s, 5m or 1h, not"
                + " long");
    assertThat(reading.problems().get("db"))
        .containsExactly(root.resolve("db.yaml") + ": v1.update must be a mapping, not revert");
  }
}
