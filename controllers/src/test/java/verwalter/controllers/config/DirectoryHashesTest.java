package verwalter.controllers.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.model.ConfigHashes;

class DirectoryHashesTest {
  @TempDir private Path root;
  private String scheduler = "s1";

  private Path directory(String name) throws IOException {
    var config = root.resolve(name);
    write(config, "runtime/web/v1.yaml", "a: 1\n");
    write(config, "runtime/db.yaml", "b: 1\n");
    write(config, "templates/web/v1/web.render.yaml", "commands: []\n");
    write(config, "lithos/images/web-v1/config/web.yaml", "kind: Daemon\n");
    write(config, "scheduler/v1/main.lua", "return {}\n");
    return config;
  }

  private static void write(Path config, String file, String text) throws IOException {
    var path = config.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private ConfigHashes read(Path config) throws IOException {
    return new DirectoryHashes(config, () -> scheduler).read(area -> true);
  }

  @Test
  void equalDirectoriesHaveEqualHashes() throws Exception {
    var hashes = read(directory("a"));

    assertThat(hashes).isEqualTo(read(directory("b")));
    assertThat(hashes.parts().keySet())
        .containsExactlyInAnyOrder(
            "runtime/db", "runtime/web", "templates/web", "lithos/images", "scheduler");
  }

  @Test
  void onlyThePartThatDiffersHasAnotherHash() throws Exception {
    var other = directory("b");
    write(other, "templates/web/v1/web.render.yaml", "commands: [x]\n");
    write(other, "runtime/.db.yaml.swp", "left by an editor");
    var a = read(directory("a"));
    var b = read(other);

    assertThat(b.settings()).isEqualTo(a.settings());
    assertThat(PartsText.of(a.parts(), b.parts())).isEqualTo("templates/web");
  }

  @Test
  void filesThatTemplatesWriteDoNotCount() throws Exception {
    var other = directory("b");
    write(other, "lithos/files/web/upstreams.conf", "server 127.0.0.1:10081\n");

    assertThat(read(other)).isEqualTo(read(directory("a")));
  }

  @Test
  void settingsAreTheSchedulerAndTheRoles() throws Exception {
    var config = directory("a");
    var hashes = new DirectoryHashes(config, () -> scheduler);
    var before = hashes.settings().settings();
    assertThat(hashes.read(area -> true).settings()).isEqualTo(before);

    scheduler = "s2";
    var second = hashes.settings().settings();
    write(config, "runtime/web/v1.yaml", "a: 2\n");

    assertThat(second).isNotEqualTo(before);
    assertThat(hashes.settings().settings()).isNotIn(before, second);
  }

  @Test
  void anAreaThatHasNotChangedIsNotReadAgain() throws Exception {
    var config = directory("a");
    var hashes = new DirectoryHashes(config, () -> scheduler);
    var before = hashes.read(area -> true);
    write(config, "templates/web/v1/web.render.yaml", "commands: [x]\n");

    assertThat(hashes.read(area -> area.equals("runtime"))).isEqualTo(before);
    assertThat(hashes.read(area -> area.equals("templates"))).isNotEqualTo(before);
  }

  @Test
  void manyPartsAreReportedByArea() throws Exception {
    var config = directory("a");
    for (int role = 0; role <= ConfigHashes.MOST; role++) {
      write(config, "runtime/r%d.yaml".formatted(role), "a: 1\n");
    }

    assertThat(read(config).parts().keySet())
        .containsExactlyInAnyOrder("runtime", "templates", "lithos", "scheduler");
  }
}
