package verwalter.render.engine.legacy.tera;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Renders the templates of one library. Pure: equal templates and variables give equal text. */
public final class Tera {
  private final Library library;
  private final Bounds bounds;

  /** Templates by name, in whichever order they were found. */
  public interface Library {

    /**
     * Absent if there is none of that name.
     *
     * @throws TeraFailed if there is one that cannot be parsed
     */
    Optional<Template> template(String name) throws TeraFailed;

    /** Of all templates. */
    Collection<String> names();
  }

  public Tera(Library library, Bounds bounds) {
    this.library = library;
    this.bounds = bounds;
  }

  /**
   * What can be known to be wrong with a template without rendering it: its syntax, names of other
   * templates that are not there, and ancestors without end. What is wrong with those others is not
   * told here.
   */
  public List<Mistake> check(String name) {
    var mistakes = new ArrayList<Mistake>();
    var templates = new Templates(library);
    try {
      var template = templates.template(name);
      if (template.isPresent()) {
        for (var reference : template.get().references()) {
          check(templates, template.get(), reference, mistakes);
        }
        if (mistakes.isEmpty()) {
          templates.family(template.get());
        }
      }
    } catch (Wrong e) {
      if (e.mistake().file().equals(name)) {
        mistakes.add(e.mistake());
      }
    }
    return mistakes;
  }

  private static void check(
      Templates templates, Template template, Node.Reference reference, List<Mistake> mistakes) {
    try {
      templates.template(template, reference);
    } catch (Wrong e) {
      if (e.mistake().file().equals(template.source().file())) {
        mistakes.add(e.mistake());
      }
    }
  }

  /**
   * Renders a template.
   *
   * @param variables JSON as plain Java values, maps in the order to go through them
   * @throws TeraFailed with every mistake found on the way
   */
  public String render(Template template, Map<String, Object> variables) throws TeraFailed {
    try {
      return new Rendering(new Templates(library), bounds, template, variables).text();
    } catch (Wrong e) {
      throw new TeraFailed(List.of(e.mistake()));
    }
  }
}
