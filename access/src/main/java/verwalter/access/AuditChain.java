package verwalter.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import verwalter.model.json.DecodeException;
import verwalter.model.json.Json;

/**
 * The lines of an audit log. A line is a hash, a blank and a JSON object. The object has a number
 * and the hash of the line before, and the hash is that of the object. So a line that is changed,
 * removed, added or moved breaks the chain.
 *
 * @param number the number of the last line; 0 before the first
 * @param hash the hash of the last line, lower-case hex
 */
public record AuditChain(long number, String hash) {
  /** The chain before its first line. */
  public static final AuditChain START = new AuditChain(0, "0".repeat(64));

  /** The line of an entry, without a line break. */
  public String line(AuditEntry entry) {
    var fields = entry.fields();
    fields.put("number", number + 1);
    fields.put("previous", hash);
    var text = Json.canonical(fields);
    return hash(text) + " " + text;
  }

  /** The chain after a line that {@link #line} made, or that {@link #problem} found to be valid. */
  public AuditChain after(String line) {
    return new AuditChain(number + 1, line.substring(0, hash.length()));
  }

  /**
   * The chain whose last line this is; for the first line that is kept, whose predecessors were
   * removed with their files.
   */
  public static Optional<AuditChain> endingWith(String line) {
    return fields(line)
        .flatMap(
            fields ->
                fields.get("number") instanceof Long its
                    ? Optional.of(new AuditChain(its, line.substring(0, line.indexOf(' '))))
                    : Optional.empty());
  }

  /** The chain before a line, as the line states it. */
  public static Optional<AuditChain> before(String line) {
    return fields(line)
        .flatMap(
            fields ->
                fields.get("number") instanceof Long its
                        && fields.get("previous") instanceof String previous
                    ? Optional.of(new AuditChain(its - 1, previous))
                    : Optional.empty());
  }

  /** Why a line does not follow; empty if it does. */
  public Optional<String> problem(String line) {
    var fields = fields(line);
    if (fields.isEmpty()) {
      return Optional.of("is not a line of an audit log, or was changed");
    }
    if (!Long.valueOf(number + 1).equals(fields.get().get("number"))) {
      return Optional.of(
          "has the number %s after %d: lines were removed, added or moved"
              .formatted(fields.get().get("number"), number));
    }
    return hash.equals(fields.get().get("previous"))
        ? Optional.empty()
        : Optional.of("does not follow the line before, which was changed or replaced");
  }

  /** The fields of a line whose hash is valid. */
  public static Optional<Map<String, Object>> fields(String line) {
    int blank = line.indexOf(' ');
    if (blank < 0 || !line.substring(0, blank).equals(hash(line.substring(blank + 1)))) {
      return Optional.empty();
    }
    try {
      return Optional.of(Json.object(Json.parse(line.substring(blank + 1))));
    } catch (DecodeException noJson) {
      return Optional.empty();
    }
  }

  private static String hash(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException impossible) { // every Java has it
      throw new IllegalStateException(impossible);
    }
  }
}
