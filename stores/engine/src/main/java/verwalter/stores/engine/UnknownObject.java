package verwalter.stores.engine;

import java.io.IOException;

/**
 * The log holds an object of a kind, or of a form, that this version of the program cannot read.
 */
public final class UnknownObject extends IOException {
  private static final long serialVersionUID = 1;

  UnknownObject(String what, String why) {
    super("%s is not an object this version knows (%s)".formatted(what, why));
  }
}
