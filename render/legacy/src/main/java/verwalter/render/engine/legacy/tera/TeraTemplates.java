package verwalter.render.engine.legacy.tera;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.render.RenderFailed;
import verwalter.render.engine.legacy.tera.Tera.Library;

/** Finds templates by name. */
final class TeraTemplates {
  private static final int GENERATIONS = 50;

  private final Library library;
  private final Map<String, Template> found = new HashMap<>();

  TeraTemplates(Library library) {
    this.library = library;
  }

  Template template(Template from, TeraNode.Reference reference) {
    return template(reference.file())
        .orElseThrow(
            () ->
                from.source()
                    .unknown(
                        reference.at(),
                        "there is no template `" + reference.file() + "` in the template directory",
                        reference.file(),
                        names()));
  }

  private Collection<String> names() {
    return library.names();
  }

  Optional<Template> template(String name) {
    var known = found.get(name);
    if (known != null) {
      return Optional.of(known);
    }
    try {
      var template = library.template(name);
      template.ifPresent(each -> found.put(name, each));
      return template;
    } catch (RenderFailed e) {
      throw new TemplateError(String.valueOf(e.getMessage()), () -> e.problems().get(0));
    }
  }

  List<Template> family(Template from, TeraNode.Reference reference) {
    return family(template(from, reference));
  }

  /** A template and its ancestors; the last has no parent. */
  List<Template> family(Template template) {
    var family = new ArrayList<Template>();
    family.add(template);
    var child = template;
    while (child.parent().isPresent()) {
      var reference = child.parent().get();
      var parent = template(child, reference);
      family.add(parent);
      if (family.size() > GENERATIONS || family.indexOf(parent) < family.size() - 1) {
        throw template
            .source()
            .error(
                template.parent().get().at(),
                "the template has itself as an ancestor, or too many");
      }
      child = parent;
    }
    return family;
  }
}
