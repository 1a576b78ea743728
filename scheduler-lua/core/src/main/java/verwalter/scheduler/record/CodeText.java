package verwalter.scheduler.record;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import verwalter.model.json.Json;
import verwalter.scheduler.lua.Code;

/** The code of a scheduler as compressed text. */
public final class CodeText {
  /** The number of bytes of a file in one piece. */
  private static final int PIECE = 3 << 20;

  /** The code as compressed lines of JSON. */
  public static byte[] pack(Code code) {
    return ChunkedJson.pack(tree(code));
  }

  /**
   * The code as one JSON object: {@code files} are texts by path, {@code binary} files that are not
   * UTF-8, as lists of pieces in Base64.
   */
  public static Map<String, Object> tree(Code code) {
    var files = new TreeMap<String, Object>();
    var binary = new TreeMap<String, Object>();
    code.files()
        .forEach(
            (path, latin1) -> {
              var bytes = latin1.getBytes(StandardCharsets.ISO_8859_1);
              try {
                var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
                files.put(path, text.toString());
              } catch (CharacterCodingException noText) {
                binary.put(path, pieces(bytes));
              }
            });
    var whole = new LinkedHashMap<String, Object>();
    whole.put("hash", code.hash());
    whole.put("place", code.place());
    whole.put("files", files);
    whole.put("binary", binary);
    whole.put("problems", new TreeMap<String, Object>(code.problems()));
    return whole;
  }

  /**
   * Parses the code of a compressed text.
   *
   * @throws IOException if it is truncated, corrupt, or not code
   */
  public static Code unpack(InputStream packed) throws IOException {
    var whole = ChunkedJson.unpack(packed);
    var files = new TreeMap<String, String>();
    var problems = new TreeMap<String, String>();
    try {
      Json.object(whole.get("files"))
          .forEach(
              (path, text) ->
                  files.put(path, latin1(((String) text).getBytes(StandardCharsets.UTF_8))));
      Json.object(whole.get("binary"))
          .forEach((path, pieces) -> files.put(path, joined((List<?>) pieces)));
      Json.object(whole.get("problems"))
          .forEach((path, problem) -> problems.put(path, (String) problem));
      return new Code(String.valueOf(whole.get("place")), files, problems);
    } catch (ClassCastException | IllegalArgumentException malformed) {
      throw new IOException("not a scheduler's code: " + malformed.getMessage(), malformed);
    }
  }

  /** A module may be larger than one JSON text may be. */
  private static List<String> pieces(byte[] bytes) {
    var pieces = new ArrayList<String>();
    for (int at = 0; at < bytes.length; at += PIECE) {
      var piece = Arrays.copyOfRange(bytes, at, Math.min(at + PIECE, bytes.length));
      pieces.add(Base64.getEncoder().encodeToString(piece));
    }
    return pieces;
  }

  private static String joined(List<?> pieces) {
    var text = new StringBuilder();
    pieces.forEach(piece -> text.append(latin1(Base64.getDecoder().decode((String) piece))));
    return text.toString();
  }

  private static String latin1(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private CodeText() {}
}
