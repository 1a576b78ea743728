package verwalter.render.disk;

import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Permission bits of a file, 0 to 07777. */
public record Mode(int bits) {
  public static final Mode DEFAULT = new Mode(0644);
  public static final Mode PRIVATE = new Mode(0600);

  public Mode {
    if (bits < 0 || bits > 07777) {
      throw new IllegalArgumentException("a mode has bits 0 to 0o7777, not " + bits);
    }
  }

  public static Mode octal(String text) {
    return new Mode(Integer.parseInt(text, 8));
  }

  /** The nine permission bits. */
  Mode plain() {
    return new Mode(bits & 0777);
  }

  /** The same nine bits by name. */
  Set<PosixFilePermission> permissions() {
    var letters = new StringBuilder("rwxrwxrwx");
    for (int i = 0; i < letters.length(); i++) {
      if ((bits >> (letters.length() - 1 - i) & 1) == 0) {
        letters.setCharAt(i, '-');
      }
    }
    return PosixFilePermissions.fromString(letters.toString());
  }

  /** Without the set-user-ID and set-group-ID bits. */
  public Mode withoutSetIds() {
    return new Mode(bits & 01777);
  }

  /** Four octal digits, such as {@code 0644}. */
  @Override
  public String toString() {
    var digits = Integer.toOctalString(bits);
    return "0".repeat(Math.max(0, 4 - digits.length())) + digits;
  }
}
