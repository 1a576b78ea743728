package verwalter.controllers.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
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
}
