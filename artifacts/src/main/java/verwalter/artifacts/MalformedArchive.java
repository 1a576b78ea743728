package verwalter.artifacts;

import java.io.IOException;

/** The bytes are not those of a supported archive, or the archive has what is not allowed. */
final class MalformedArchive extends IOException {
  private static final long serialVersionUID = 1;

  MalformedArchive(String why) {
    super(why);
  }
}
