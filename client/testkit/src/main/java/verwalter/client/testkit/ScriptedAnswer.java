package verwalter.client.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.List;

/**
 * The answer of a scripted server, which may violate HTTP.
 *
 * @param pieces the body; each piece is written after the previous one was sent
 */
public record ScriptedAnswer(
    int status, String type, Iterable<byte[]> pieces, Framing framing, End end) {
  /** How the end of the body is determined. */
  public enum Framing {
    /** By a Content-Length header. */
    LENGTH,
    /** Each piece is a chunk. */
    CHUNKED,
    /** By the end of the connection. */
    UNTIL_CLOSED,
    /** The pieces include the head; nothing else is written. */
    RAW
  }

  /** What happens after the last piece. */
  public enum End {
    /** The answer is complete; the connection stays open. */
    KEEP,
    /** The answer is complete; the connection closes, as announced in the head. */
    CLOSE,
    /** The answer is complete; the connection closes without an announcement. */
    GONE,
    /** The connection closes in the middle of the answer. */
    CUT,
    /** Nothing more is written until the client closes the connection or the server ends. */
    HANG
  }

  /** JSON with a length. */
  public static ScriptedAnswer json(String body) {
    return json(200, body);
  }

  /** JSON with a length. */
  public static ScriptedAnswer json(int status, String body) {
    return text(status, "application/json", body);
  }

  /** A body with a length. */
  public static ScriptedAnswer text(int status, String type, String body) {
    return new ScriptedAnswer(status, type, bytes(body), Framing.LENGTH, End.KEEP);
  }

  /** JSON in chunks. */
  public static ScriptedAnswer chunks(End end, String... chunks) {
    return stream(end, bytes(chunks));
  }

  /** JSON in chunks that are created when they are written. */
  public static ScriptedAnswer stream(End end, Iterable<byte[]> chunks) {
    return new ScriptedAnswer(200, "application/json", chunks, Framing.CHUNKED, end);
  }

  /** Raw bytes. */
  public static ScriptedAnswer raw(End end, String... pieces) {
    return new ScriptedAnswer(0, "", bytes(pieces), Framing.RAW, end);
  }

  /** Returns a copy with another end. */
  public ScriptedAnswer ending(End other) {
    return new ScriptedAnswer(status, type, pieces, framing, other);
  }

  /** Returns a copy with another framing. */
  public ScriptedAnswer framed(Framing other) {
    return new ScriptedAnswer(status, type, pieces, other, end);
  }

  private static List<byte[]> bytes(String... texts) {
    return Arrays.stream(texts).map(text -> text.getBytes(UTF_8)).toList();
  }
}
