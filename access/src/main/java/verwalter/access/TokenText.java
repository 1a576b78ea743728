package verwalter.access;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import verwalter.model.AccessToken;

/**
 * The text of an access token, {@code vwt_NAME_SECRET}. The server keeps a hash of the secret. The
 * secret has 256 random bits, so that its hash needs no salt and no slow function.
 *
 * @param name name of the {@link AccessToken}
 * @param secret 43 letters, digits, hyphens and underscores
 */
public record TokenText(String name, String secret) {
  private static final Pattern TEXT =
      Pattern.compile("vwt_(?<name>[A-Za-z0-9][A-Za-z0-9._@-]{0,252})_(?<secret>[\\w-]{43})");

  private static final int BYTES = 32;

  /** A token with a new secret. */
  public static TokenText create(String name, RandomGenerator chance) {
    var bytes = new byte[BYTES];
    chance.nextBytes(bytes);
    return new TokenText(name, Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  /** Reads the text of a token; empty if it is not one. */
  public static Optional<TokenText> parse(String text) {
    var matcher = TEXT.matcher(text);
    return matcher.matches()
        ? Optional.of(new TokenText(matcher.group("name"), matcher.group("secret")))
        : Optional.empty();
  }

  /** The hash of the secret, as {@link AccessToken.Spec#hash} holds it. */
  public String hash() {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(secret.getBytes(US_ASCII));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException impossible) { // every Java has it
      throw new IllegalStateException(impossible);
    }
  }

  /** Whether this is the token of an object at a time. Takes the same time for every hash. */
  public boolean isOf(AccessToken.Spec token, Instant now) {
    boolean same =
        MessageDigest.isEqual(hash().getBytes(US_ASCII), token.hash().getBytes(US_ASCII));
    return same && now.isBefore(token.expires());
  }

  /** The text; a secret. */
  public String text() {
    return "vwt_%s_%s".formatted(name, secret);
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "vwt_%s_...".formatted(name);
  }
}
