package verwalter.model;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The identity of a {@link DeploymentRef}. Two identities have the same {@link #text} only if they
 * are equal.
 *
 * @param role name of the role
 * @param version of the role
 * @param slot name of the part of the role
 * @param generation number of the version as the schedule counts it
 * @param localGeneration number of the version as the node counts it
 * @param node name of the node
 */
public record DeploymentName(
    String role, String version, String slot, long generation, long localGeneration, String node) {
  private static final String SEPARATOR = "@";
  private static final String PLAIN = ".-";

  /**
   * A valid name of an object: {@code ROLE@VERSION@SLOT@gGENERATION.lLOCAL@NODE}. In each part,
   * letters, digits, {@code .} and {@code -} stand for themselves, and {@code _xx} for any other
   * byte of UTF-8. What is too long, or begins or ends with something else than a letter or digit,
   * is shortened by {@link Names#fitting}.
   */
  public String text() {
    return Names.fitting(release() + SEPARATOR + escaped(node));
  }

  /**
   * The name of the release on the disk of its node: like {@link #text}, but without the node, so
   * that its files stay where they are when the node is renamed.
   */
  public String key() {
    return Names.fitting(release());
  }

  private String release() {
    var parts =
        List.of(
            escaped(role),
            escaped(version),
            escaped(slot),
            "g%d.l%d".formatted(generation, localGeneration));
    return String.join(SEPARATOR, parts);
  }

  private static String escaped(String part) {
    var text = new StringBuilder(part.length());
    for (byte it : bytes(part)) {
      char plain = (char) (it & 0xff);
      if (isPlain(plain)) {
        text.append(plain);
      } else {
        text.append("_%02x".formatted((int) plain));
      }
    }
    return text.toString();
  }

  /** UTF-8, or UTF-16 after a byte that UTF-8 does not have if the text is not Unicode. */
  private static byte[] bytes(String part) {
    var bytes = part.getBytes(StandardCharsets.UTF_8);
    if (new String(bytes, StandardCharsets.UTF_8).equals(part)) {
      return bytes;
    }
    var units = new byte[1 + 2 * part.length()];
    units[0] = (byte) 0xff;
    for (int i = 0; i < part.length(); i++) {
      units[1 + 2 * i] = (byte) (part.charAt(i) >> 8);
      units[2 + 2 * i] = (byte) part.charAt(i);
    }
    return units;
  }

  private static boolean isPlain(char it) {
    return (it >= 'a' && it <= 'z')
        || (it >= 'A' && it <= 'Z')
        || (it >= '0' && it <= '9')
        || PLAIN.indexOf(it) >= 0;
  }
}
