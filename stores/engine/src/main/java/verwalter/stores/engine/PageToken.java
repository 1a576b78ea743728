package verwalter.stores.engine;

import verwalter.model.Kind;
import verwalter.model.Names;
import verwalter.stores.api.StoreException;

/** Where a list goes on: after {@code name}, as things stood at {@code version}. */
record PageToken(long version, String name) {
  /** The token as clients pass it about: {@code version.name}. */
  String text() {
    return version + "." + name;
  }

  static PageToken parse(Kind<?, ?> kind, String text) {
    int dot = text.indexOf('.');
    var name = text.substring(dot + 1);
    try {
      long version = Long.parseLong(text.substring(0, Math.max(0, dot)));
      if (version >= 0 && Names.isValid(name)) {
        return new PageToken(version, name);
      }
    } catch (NumberFormatException notOurs) {
      // refused below, like every other token that no page gave
    }
    throw new StoreException.Invalid(
        kind.key("*"), "the list cannot continue from '%s': no page gave that".formatted(text));
  }
}
