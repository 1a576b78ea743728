package verwalter.client.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.List;

/**
 * What a scripted server answers, also in ways that no good server does.
 *
 * @param pieces the body, each piece written when the one before is on its way
 */
public record ScriptedAnswer(
    int status, String type, Iterable<byte[]> pieces, Framing framing, End end) {
  /** How the client can tell where the body ends. */
  public enum Framing {
    /** By its length in a header. */
    LENGTH,
    /** Each piece is a chunk. */
    CHUNKED,
    /** By the end of the connection. */
    UNTIL_CLOSED,
    /** The pieces are all that is written; they include the head. */
    RAW
  }

  /** What happens after the last piece. */
  public enum End {
    /** The answer is complete; the connection stays open. */
    KEEP,
    /** The answer is complete; its head says that the connection closes, and it does. */
    CLOSE,
    /** The answer is complete; the connection closes without notice. */
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

  /** JSON in chunks that are made when they are written. */
  public static ScriptedAnswer stream(End end, Iterable<byte[]> chunks) {
    return new ScriptedAnswer(200, "application/json", chunks, Framing.CHUNKED, end);
  }

  /** These bytes and nothing else. */
  public static ScriptedAnswer raw(End end, String... pieces) {
    return new ScriptedAnswer(0, "", bytes(pieces), Framing.RAW, end);
  }

  /** The same with another end. */
  public ScriptedAnswer ending(End other) {
    return new ScriptedAnswer(status, type, pieces, framing, other);
  }

  /** The same with another framing. */
  public ScriptedAnswer framed(Framing other) {
    return new ScriptedAnswer(status, type, pieces, other, end);
  }

  private static List<byte[]> bytes(String... texts) {
    return Arrays.stream(texts).map(text -> text.getBytes(UTF_8)).toList();
  }
}
