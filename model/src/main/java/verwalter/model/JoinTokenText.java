package verwalter.model;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The text of a join token, {@code vwj1.ID.SECRET.AUTHORITY.CHECK}. The authority is part of it, so
 * that a machine that joins trusts no other server. The check finds typing errors. The secret has
 * 256 random bits, so its hash needs no salt and no slow function.
 *
 * @param id name of the {@link JoinToken}
 * @param secret 43 letters, digits, hyphens and underscores
 * @param authority SHA-256 of the public key of the cluster's authority, lower-case hex
 */
public record JoinTokenText(String id, String secret, String authority) {
  private static final String PREFIX = "vwj1";
  private static final Pattern TEXT =
      Pattern.compile(
          "(vwj1\\.([a-z0-9]{10})\\.([A-Za-z0-9_-]{43})\\.([A-Za-z0-9_-]{43}))\\.([0-9a-f]{8})");
  private static final String LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";
  private static final int ID_LENGTH = 10;
  private static final int BYTES = 32;
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  /** A new token. */
  public static JoinTokenText create(String authority, RandomGenerator chance) {
    var id = new StringBuilder();
    for (int i = 0; i < ID_LENGTH; i++) {
      id.append(LETTERS.charAt(chance.nextInt(LETTERS.length())));
    }
    var secret = new byte[BYTES];
    chance.nextBytes(secret);
    return new JoinTokenText(id.toString(), BASE64.encodeToString(secret), authority);
  }

  /**
   * Reads the text of a token.
   *
   * @throws IllegalArgumentException if it is not one; the message says so without the text
   */
  public static JoinTokenText parse(String text) {
    var matcher = TEXT.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          text.strip().startsWith(PREFIX + ".")
              ? "the join token is incomplete or has other characters"
              : "a join token begins with " + PREFIX + ".");
    }
    if (!check(matcher.group(1)).equals(matcher.group(5))) {
      throw new IllegalArgumentException("the join token has a typing error");
    }
    return new JoinTokenText(
        matcher.group(2),
        matcher.group(3),
        HexFormat.of().formatHex(Base64.getUrlDecoder().decode(matcher.group(4))));
  }

  /** The text; a secret. */
  public String text() {
    var text =
        "%s.%s.%s.%s"
            .formatted(
                PREFIX, id, secret, BASE64.encodeToString(HexFormat.of().parseHex(authority)));
    return text + "." + check(text);
  }

  private static String check(String text) {
    var check = new CRC32();
    check.update(text.getBytes(US_ASCII));
    return "%08x".formatted(check.getValue());
  }

  /** The hash of the secret, as {@link JoinToken.Spec#hash} contains it. */
  public String hash() {
    return hash(secret);
  }

  private static String hash(String secret) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(secret.getBytes(US_ASCII));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException impossible) { // every JDK has it
      throw new IllegalStateException(impossible);
    }
  }

  /** Whether a secret is that of a token. Takes the same time for every hash. */
  public static boolean isSecret(String secret, JoinToken.Spec token) {
    return MessageDigest.isEqual(hash(secret).getBytes(US_ASCII), token.hash().getBytes(US_ASCII));
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "%s.%s...".formatted(PREFIX, id);
  }
}
