package verwalter.stores.engine;

import java.io.IOException;

/** The log contains an object that this version of the program cannot read. */
public final class UnknownObject extends IOException {
  private static final long serialVersionUID = 1;

  UnknownObject(String what, String why) {
    super("%s cannot be read by this version (%s)".formatted(what, why));
  }
}
