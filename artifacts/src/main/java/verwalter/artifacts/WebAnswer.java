package verwalter.artifacts;

import java.net.http.HttpHeaders;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * The status and headers of a response, as a download needs them. Decides nothing.
 *
 * @param status of the response
 * @param headers of the response
 * @param body which may be on its way
 */
record WebAnswer(int status, HttpHeaders headers, WebBody body) {
  private static final Pattern RANGE =
      Pattern.compile("bytes (\\d{1,18})-(\\d{1,18})/(\\d{1,18}|\\*)");
  private static final Pattern NO_RANGE = Pattern.compile("bytes \\*/(\\d{1,18})");

  private Optional<String> header(String name) {
    return headers.firstValue(name);
  }

  Optional<String> location() {
    return header("Location");
  }

  boolean isRedirect() {
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
  }

  OptionalLong length() {
    return header("Content-Length")
        .filter(it -> it.matches("\\d{1,18}"))
        .map(it -> OptionalLong.of(Long.parseLong(it)))
        .orElse(OptionalLong.empty());
  }

  /** The validator for If-Range: a strong ETag, or the time of the last change. */
  Optional<String> validator() {
    var etag = header("ETag");
    return etag.isPresent()
        ? etag.filter(it -> it.startsWith("\"") && it.indexOf('\n') < 0)
        : header("Last-Modified").filter(it -> it.indexOf('\n') < 0);
  }

  /**
   * Whether the body begins after so many bytes.
   *
   * @param isSame whether it must be the content with the validator of these bytes
   */
  boolean continues(PartialFile.Start start, boolean isSame) {
    var range = RANGE.matcher(header("Content-Range").orElse(""));
    return status == 206
        && range.matches()
        && Long.parseLong(range.group(1)) == start.bytes()
        && (!isSame || validator().map(start.validator()::equals).orElse(true));
  }

  /** The size of the whole content, if the range says it. */
  OptionalLong wholeOfRange() {
    var range = RANGE.matcher(header("Content-Range").orElse(""));
    return range.matches() && !range.group(3).equals("*")
        ? OptionalLong.of(Long.parseLong(range.group(3)))
        : OptionalLong.empty();
  }

  /**
   * Whether the server says that so many bytes are all.
   *
   * @param isSame whether it must be the content with the validator of these bytes
   */
  boolean isComplete(PartialFile.Start start, boolean isSame) {
    var range = NO_RANGE.matcher(header("Content-Range").orElse(""));
    return status == 416
        && range.matches()
        && Long.parseLong(range.group(1)) == start.bytes()
        && (!isSame || validator().filter(start.validator()::equals).isPresent());
  }
}
