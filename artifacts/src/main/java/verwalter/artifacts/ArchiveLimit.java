package verwalter.artifacts;

import java.io.IOException;

/** An archive exceeds a limit. */
final class ArchiveLimit extends IOException {
  private static final long serialVersionUID = 1;

  ArchiveLimit(String what, long limit, String setting) {
    super("%s; the limit is %d (%s)".formatted(what, limit, setting));
  }
}
