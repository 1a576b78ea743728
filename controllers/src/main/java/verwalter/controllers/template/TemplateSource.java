package verwalter.controllers.template;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import verwalter.render.RenderFailed;
import verwalter.render.recipe.Rendered;
import verwalter.render.recipe.Renderer;

/** Finds the directory below {@code templates/} that a role's variable {@code template} names. */
final class TemplateSource {
  private final Path directory;
  private final Renderer renderer;

  TemplateSource(Path config) {
    this.directory = config.resolve("templates");
    this.renderer = new Renderer(config);
  }

  Rendered render(String template, String role, Map<String, Object> variables)
      throws Templates.Failed {
    try {
      return renderer.render(find(template, role), role, variables);
    } catch (RenderFailed failure) {
      throw lasting("templates/%s/%s".formatted(template, failure.getMessage()));
    }
  }

  private Path find(String template, String role) throws Templates.Failed {
    if (template.isEmpty()) {
      throw lasting(
          ("role %s has no variable template: the schedule must say which directory below templates/"
                  + " to render")
              .formatted(role));
    }
    var source = directory.resolve(template).normalize();
    if (!source.startsWith(directory) || source.equals(directory)) {
      throw lasting("template %s is not below templates/".formatted(template));
    }
    if (!Files.isDirectory(source)) {
      throw lasting("templates/%s is not a directory".formatted(template));
    }
    return source;
  }

  private static Templates.Failed lasting(String message) {
    return new Templates.Failed(message, true);
  }
}
