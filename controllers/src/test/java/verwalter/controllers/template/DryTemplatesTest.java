package verwalter.controllers.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.model.TemplateOutput;

class DryTemplatesTest {
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  private Templates templates(Path config) {
    return new DryTemplates(config, new PrintStream(printed, true, StandardCharsets.UTF_8));
  }

  @Test
  void filesThatWouldBeRemovedArePrinted(@TempDir Path config) throws Templates.Failed {
    templates(config)
        .remove(
            "web@n1",
            List.of(
                new TemplateOutput.File("/etc/a", "ab", "0644", 1),
                new TemplateOutput.File("/etc/b", "ab", "0644", 1)));
    assertThat(printed.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("(dry run) would remove /etc/a", "(dry run) would remove /etc/b");
  }

  @Test
  void textsAndCommandsAreInTheLogAndNothingRuns(@TempDir Path config)
      throws IOException, Templates.Failed {
    var template = Files.createDirectories(config.resolve("templates/web"));
    Files.writeString(template.resolve("list.j2"), "hello {{ name }}");
    var target = config.resolve("target");
    Files.writeString(
        template.resolve("a.render.yaml"),
        """
        templates: {list: list.j2}
        commands:
        - !Copy {src: "{{ files.list }}", dest: TEMP}
        - !Cmd [reload]
        """
            .replace("TEMP", target.toString()));
    var wanted =
        new Templates.Wanted(
            "web@n1",
            "web",
            "web",
            Map.of("name", "world"),
            "input",
            "d1",
            Instant.EPOCH,
            Optional.empty(),
            Optional.empty(),
            true,
            () -> Needs.NONE);
    var applied = templates(config).apply(wanted, Templates.Before.NOTHING);
    assertThat(applied.changed()).isFalse();
    assertThat(applied.files()).isEmpty();
    assertThat(applied.log())
        .singleElement()
        .satisfies(
            piece ->
                assertThat(piece.toString()).contains("hello world", "reload", "(dry run) web: "));
    assertThat(target).doesNotExist();
    assertThat(templates(config).check(wanted, Templates.Before.NOTHING)).isEqualTo(applied);
  }
}
