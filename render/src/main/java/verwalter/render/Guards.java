package verwalter.render;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the guards of a role's recipes say against a rendering.
 *
 * @param figures what each of them has counted, one line each; empty if all may go through
 * @param items hash of everything they object to: equal for equal lists
 */
public record Guards(List<String> figures, String items) {
  public Guards {
    figures = List.copyOf(figures);
  }

  public boolean object() {
    return !figures.isEmpty();
  }

  /**
   * Compares with what was applied before. A template that was not rendered then only has to have
   * its fewest items.
   */
  public static Guards over(Rendered now, Optional<Rendered> before) {
    var figures = new ArrayList<String>();
    var digest = Text.digest();
    for (var part : now.parts()) {
      var guards = part.source().rules().guards();
      part.files()
          .forEach(
              (name, text) -> {
                var old = before.flatMap(last -> text(last, part.recipe(), name));
                var guard = Optional.ofNullable(guards.get(name));
                var objection =
                    guard.isPresent()
                        ? guard.get().objection(old, text)
                        : Guard.becomesEmpty(old, text);
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

  private static Optional<String> text(Rendered rendered, String recipe, String name) {
    return rendered.parts().stream()
        .filter(part -> part.recipe().equals(recipe))
        .flatMap(part -> Optional.ofNullable(part.files().get(name)).stream())
        .findFirst();
  }
}
