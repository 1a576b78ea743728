package verwalter.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RendererTest {
  @TempDir Path templates;
  private final Renderer renderer = new Renderer();

  private void file(String name, String text) throws IOException {
    var path = templates.resolve(name);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private String render(String template, String text, Map<String, Object> variables)
      throws Exception {
    file(template, text);
    file("a.render.yaml", "templates: {x: " + template + "}");
    return renderer.render(templates, "shop", variables).files().get("a.render.yaml").get("x");
  }

  @Test
  void aTeraLoopOverAMapGivesKeysAndValuesInOrder() throws Exception {
    var text =
        render(
            "t.tera",
            "{% for key, d in daemons %}\n{{ key }}: {{ d.image }} {{ d.list.1 }} {{ loop.index }}\n{% endfor %}\n"
                + "{% if commands is defined %}{{ commands.x }}{% endif %}{{ nope | default(value=\"none\") }} {{ l | join(sep=\",\") }} {{ daemons | get(key=\"a\") | get(key=\"image\") }}\n",
            Map.of(
                "daemons",
                    Map.of(
                        "b",
                        Map.of("image", "ib", "list", List.of(1, 2)),
                        "a",
                        Map.of("image", "ia", "list", List.of(3, 4))),
                "l", List.of("p", "q")));
    assertThat(text).isEqualTo("\na: ia 4 1\n\nb: ib 2 2\n\nnone p,q ia\n");
  }

  @Test
  void everyUndefinedVariableIsAnErrorWithItsPlaceAndTheNearestName() {
    var text =
        "x\n{{ daemon.imag }}\n{{ nope }} {{ rol }}{% for x in missin %}{% endfor %}\n"
            + "{% set q = missing %}{{ daemon.x.y }}";
    assertThatThrownBy(
            () -> render("t.j2", text, Map.of("role", "r", "daemon", Map.of("image", 1))))
        .hasMessage(
            """
            t.j2:2: undefined variable `imag`; did you mean image?
            t.j2:3: undefined variable `nope`
            t.j2:3: undefined variable `rol`; did you mean role?
            t.j2:3: undefined variable `missin`
            t.j2:4: undefined variable `missing`
            t.j2:4: undefined variable `x`""");
  }
}
