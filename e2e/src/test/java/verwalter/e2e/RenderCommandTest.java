package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code verwalter_render} with the launcher. */
class RenderCommandTest {
  @TempDir private Path root;

  private record Ended(int code, String out, String err) {}

  private Ended render(String... arguments) throws Exception {
    var all = new ArrayList<>(List.of(LaunchedAgent.HOME.resolve("verwalter_render").toString()));
    all.addAll(List.of(arguments));
    var out = root.resolve("stdout").toFile();
    var err = root.resolve("stderr").toFile();
    var process = new ProcessBuilder(all).redirectOutput(out).redirectError(err).start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Ended(
        process.exitValue(), Files.readString(out.toPath()), Files.readString(err.toPath()));
  }

  private String check(Path site) throws IOException {
    return "--check-dir=" + site.resolve("templates/app/v1");
  }

  @Test
  void aTemplateDirectoryIsCheckedOffline() throws Exception {
    var config = Site.in(root).config();
    var good =
        render(check(config), "{\"role\":\"app\",\"image\":\"i\",\"version\":\"v1\",\"count\":2}");
    assertThat(good.err()).isEmpty();
    assertThat(good.code()).isZero();
    assertThat(good.out())
        .contains("(dry run) app: app.render.yaml: settings:\nversion=v1\ncount=2\n")
        .contains("app.render.yaml:7:3: SwitchProcesses app");
    assertThat(root.resolve("out")).isEmptyDirectory();
  }

  @Test
  void aHandlebarsTemplatePrintsNoWarning() throws Exception {
    var config = Site.in(root).config();
    Files.writeString(
        config.resolve("templates/app/v1/more.hbs"), "{{#each list}}{{this}}{{/each}}");
    var good =
        render(check(config), "{\"role\":\"app\",\"image\":\"i\",\"version\":\"v1\",\"count\":2}");
    assertThat(good.err()).isEmpty();
    assertThat(good.code()).isZero();
  }

  @Test
  void anErrorHasALineAndAnExitCode() throws Exception {
    var config = Site.in(root).config();
    var bad = render(check(config), "{\"role\":\"app\",\"image\":\"i\",\"count\":2}");
    assertThat(bad.code()).isEqualTo(10);
    assertThat(bad.err()).contains("settings.txt.j2:1:").contains("version");
    assertThat(render(check(config), "{").code()).isEqualTo(2);
    assertThat(render("--help").out()).contains("--check-dir");
  }
}
