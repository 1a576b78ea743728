package verwalter.stores.engine;

import verwalter.model.Kind;
import verwalter.model.Names;
import verwalter.stores.api.StoreException;

/** The position at which a list continues: after {@code name}, at {@code version}. */
record PageToken(long version, String name) {
  /** The token for clients: {@code version.name}. */
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
      // refused below, like every other invalid token
    }
    throw new StoreException.Invalid(kind.key("*"), "invalid continue token '%s'".formatted(text));
  }
}
