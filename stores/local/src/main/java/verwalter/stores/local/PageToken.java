package verwalter.stores.local;

import verwalter.model.Kind;
import verwalter.model.Names;
import verwalter.stores.api.StoreException;

/** Where a list goes on: after {@code name}, as things stood at {@code revision}. */
record PageToken(long revision, String name) {
  /** The token as clients pass it about: {@code revision.name}. */
  String text() {
    return revision + "." + name;
  }

  static PageToken parse(Kind<?, ?> kind, String text) {
    int dot = text.indexOf('.');
    var name = text.substring(dot + 1);
    try {
      long revision = Long.parseLong(text.substring(0, Math.max(0, dot)));
      if (revision >= 0 && Names.isValid(name)) {
        return new PageToken(revision, name);
      }
    } catch (NumberFormatException notOurs) {
      // refused below, like every other token that no page gave
    }
    throw new StoreException.Invalid(
        kind.key("*"), "the list cannot continue from '%s': no page gave that".formatted(text));
  }
}
