package verwalter.render.release;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import verwalter.render.Text;
import verwalter.render.recipe.Guard;
import verwalter.render.recipe.Rendered;

/**
 * The objections of the guards of a role's recipes to a rendering.
 *
 * @param figures the counts of each guard that objects, one line each; empty if the rendering
 *     passes
 * @param items hash of the items of these guards: equal for equal lists
 */
public record Guards(List<String> figures, String items) {
  private static final Guards NONE = new Guards(List.of(), "");

  public Guards {
    figures = List.copyOf(figures);
  }

  public boolean object() {
    return !figures.isEmpty();
  }

  /**
   * Compares with the last application. A template that was not rendered then is only checked for
   * its minimum of items.
   *
   * @param last called only if a guard may object
   */
  public static Guards over(Rendered now, Supplier<Optional<Rendered>> last) {
    if (now.parts().stream().noneMatch(Guards::mayObject)) {
      return NONE;
    }
    var before = last.get();
    var figures = new ArrayList<String>();
    var digest = Text.digest();
    for (var part : now.parts()) {
      var guards = part.source().rules().guards();
      part.files()
          .forEach(
              (name, text) -> {
                var had = before.flatMap(old -> text(old, part.recipe(), name));
                var guard = Optional.ofNullable(guards.get(name));
                var objection =
                    guard.isPresent()
                        ? guard.get().objection(had, text)
                        : Guard.becomesEmpty(had, text);
                objection.ifPresent(
                    why -> {
                      figures.add("%s: %s %s".formatted(part.recipe(), name, why));
                      digest.update(Text.bytes(part.recipe() + "\0" + name + "\0"));
                      digest.update(Text.bytes(guard.map(it -> it.items(text)).orElse("")));
                    });
              });
    }
    return new Guards(figures, java.util.HexFormat.of().formatHex(digest.digest()));
  }

  private static boolean mayObject(Rendered.Part part) {
    return !part.source().rules().guards().isEmpty()
        || part.files().values().stream().anyMatch(String::isBlank);
  }

  private static Optional<String> text(Rendered rendered, String recipe, String name) {
    return rendered.parts().stream()
        .filter(part -> part.recipe().equals(recipe))
        .flatMap(part -> Optional.ofNullable(part.files().get(name)).stream())
        .findFirst();
  }
}
