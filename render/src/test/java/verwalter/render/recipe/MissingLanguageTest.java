package verwalter.render.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import verwalter.render.MemoryDirectory;
import verwalter.render.RenderFailed;
import verwalter.render.Trees;
import verwalter.render.engine.TemplateLanguages;

/** The jar render-legacy is not on the class path of this module's tests. */
@SuppressWarnings("NullAway.Init") // JUnit initializes the field
class MissingLanguageTest {
  @TempDir(factory = MemoryDirectory.class)
  Path templates;

  private final Renderer renderer = new Renderer(Path.of("/"));

  @ParameterizedTest
  @CsvSource({"t.tera, Tera", "t.trm, Trimmer", "sub/t.TRIMMER, Trimmer"})
  void refusesTemplateOfMissingLanguageAndNamesJar(String name, String language) throws Exception {
    Trees.write(templates, "a.render.yaml", "templates: {x: " + name + "}");
    Trees.write(templates, name, "text");

    var failure =
        catchThrowableOfType(RenderFailed.class, () -> renderer.render(templates, "web", Map.of()));

    assertThat(failure)
        .hasMessage(
            "%s: is a %s template, and the %s engine is not installed: the jar render-legacy is missing"
                .formatted(name, language, language));
  }

  @Test
  void rendersOtherLanguages() throws Exception {
    Trees.write(templates, "a.render.yaml", "templates: {x: t.j2, y: t.hbs}");
    Trees.write(templates, "t.j2", "{{ role }}");
    Trees.write(templates, "t.hbs", "{{role}}");

    var files = renderer.render(templates, "web", Map.of("role", "web")).files();

    assertThat(files.get("a.render.yaml")).isEqualTo(Map.of("x", "web", "y", "web"));
  }

  @Test
  void fileWithUnknownExtensionIsNoTemplate() {
    assertThat(TemplateLanguages.missing("t.txt")).isEmpty();
    assertThat(TemplateLanguages.missing("t.j2")).isEmpty();
    assertThat(TemplateLanguages.isTemplate("tera")).isFalse();
    assertThat(TemplateLanguages.isTemplate("x/t.tera")).isTrue();
    assertThat(TemplateLanguages.of("t.tera")).isEmpty();
  }
}
