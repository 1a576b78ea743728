package verwalter.deploymentlog;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** Formats the lines of all logs, including line ends. Pure. */
final class Rows {
  private static final DateTimeFormatter TIME = utc("uuuu-MM-dd'T'HH:mm:ss'Z'");
  private static final DateTimeFormatter DAY = utc("uuuuMMdd");
  private static final DateTimeFormatter SEGMENT = utc("uuuuMMddHHmmss");

  /** The length of the hash before a change. */
  private static final int SHORT_HASH = 8;

  private static DateTimeFormatter utc(String pattern) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ROOT).withZone(ZoneOffset.UTC);
  }

  static String time(Instant at) {
    return TIME.format(at);
  }

  /** The index file of a time: one for each day. */
  static String indexFile(Instant at) {
    return "index." + DAY.format(at) + ".json";
  }

  /** The name of a segment that begins at a time. */
  static String segment(Instant at) {
    return SEGMENT.format(at);
  }

  static String index(Instant at, String deployment, Pointer pointer, Marker marker) {
    return "[\"%s\",\"%s\",%s,%s]\n".formatted(time(at), deployment, pointer.json(), marker.json());
  }

  static String global(Instant at, String deployment, Marker marker) {
    return "%s %s ------------ %s ----------- \n".formatted(time(at), deployment, marker.shown());
  }

  static String role(Instant at, String deployment, String role, Marker marker) {
    return "%s %s ------------ %s: %s ----------- \n"
        .formatted(time(at), deployment, role, marker.shown());
  }

  static String changes(Instant at, String hash, List<String> changes) {
    var text = new StringBuilder();
    for (var change : changes) {
      var shortened = hash.substring(0, Math.min(SHORT_HASH, hash.length()));
      text.append("%s: %s: %s\n".formatted(time(at), shortened, oneLine(change)));
    }
    return text.toString();
  }

  /** A text between a header and a footer with its name; empty for an empty text. */
  static String framed(String name, String text) {
    return text.isEmpty()
        ? ""
        : "+++ debug start: %s +++\n%s%s+++ debug end: %s +++\n"
            .formatted(quoted(name), text, text.endsWith("\n") ? "" : "\n", quoted(name));
  }

  /** Replaces line ends, so that a text cannot add rows. */
  static String oneLine(String text) {
    return text.replace("\r", "\\r").replace("\n", "\\n");
  }

  static String quoted(String text) {
    return '"' + oneLine(text.replace("\\", "\\\\").replace("\"", "\\\"")) + '"';
  }

  private Rows() {}
}
