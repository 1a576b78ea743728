package verwalter.render.engine;

import java.util.Collection;
import verwalter.model.Names;

/** Suggests the name that a user probably meant. */
public final class Nearest {
  /** A comparison takes the product of both lengths, and a template may hold any text. */
  private static final int LONGEST = 100;

  /** {@code ; did you mean X?} or nothing; names over 100 letters are never similar. */
  public static String hint(String wrong, Collection<String> known) {
    if (wrong.length() > LONGEST) {
      return "";
    }
    var candidates = known.stream().filter(name -> name.length() <= LONGEST).toList();
    return Names.nearest(wrong, candidates).map(name -> "; did you mean " + name + "?").orElse("");
  }

  private Nearest() {}
}
