package verwalter.ui.http;

import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * A file to send: whole, in part, or as not modified.
 *
 * @param size in bytes, when it was opened
 * @param tag differs when the content may differ
 */
public record ServedFile(Path path, long size, Instant modified, String tag) {
  private static final int MOST_COMPONENTS = 20;

  /**
   * Finds a regular file below a directory. Links are followed, but not out of the directory.
   * Blocks.
   *
   * @param name with slashes, not decoded
   */
  public static Optional<ServedFile> below(Path directory, String name) throws IOException {
    var components = Arrays.asList(name.split("/", MOST_COMPONENTS + 1));
    if (components.size() > MOST_COMPONENTS || !components.stream().allMatch(ServedFile::isPlain)) {
      return Optional.empty();
    }
    try {
      var root = directory.toRealPath();
      var path = root.resolve(name).toRealPath();
      return path.startsWith(root) && Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
          ? Optional.of(of(path))
          : Optional.empty();
    } catch (java.nio.file.FileSystemException | InvalidPathException absent) {
      return Optional.empty();
    }
  }

  private static boolean isPlain(String component) {
    return !component.isEmpty()
        && !component.equals(".")
        && !component.equals("..")
        && component.indexOf(0) < 0;
  }

  private static ServedFile of(Path path) throws IOException {
    var identity = Files.readAttributes(path, "unix:size,lastModifiedTime,ctime,dev,ino");
    var attributes = Files.readAttributes(path, BasicFileAttributes.class);
    var modified = attributes.lastModifiedTime().toInstant();
    return new ServedFile(path, attributes.size(), modified, tag(identity.toString()));
  }

  private static String tag(String attributes) {
    try {
      var hash =
          MessageDigest.getInstance("SHA-256").digest(attributes.getBytes(StandardCharsets.UTF_8));
      return "W/\"" + Base64.getUrlEncoder().encodeToString(Arrays.copyOf(hash, 12)) + '"';
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Sends the part of the file that the request asks for. */
  public Future<Void> send(HttpServerRequest request, String contentType) {
    var response = request.response();
    if (!List.of(HttpMethod.GET, HttpMethod.HEAD).contains(request.method())) {
      throw RequestProblem.of(405, "MethodNotAllowed", "files are read-only");
    }
    response
        .putHeader("ETag", tag)
        .putHeader("Last-Modified", date(modified))
        .putHeader("Accept-Ranges", "bytes")
        .putHeader("Cache-Control", "no-cache, private");
    if (isKnown(request)) {
      return response.setStatusCode(304).end();
    }
    var ranges = request.headers().getAll("Range");
    if (ranges.isEmpty() || request.getHeader("If-Range") != null) {
      return send(request, contentType, new ByteRange(0, size));
    }
    var range =
        ranges.size() == 1 ? ByteRange.of(ranges.get(0), size) : Optional.<ByteRange>empty();
    if (range.isEmpty()) {
      response.putHeader("Content-Range", "bytes */" + size);
      throw RequestProblem.of(
          416,
          "RangeNotSatisfiable",
          "the range is not within the file of %d bytes".formatted(size));
    }
    response.setStatusCode(206).putHeader("Content-Range", range.get().content(size));
    return send(request, contentType, range.get());
  }

  private Future<Void> send(HttpServerRequest request, String contentType, ByteRange range) {
    var response = request.response().putHeader("Content-Type", contentType);
    if (!response.headers().contains("Content-Encoding")) {
      // Offsets are those of the file: it must not be compressed on the way.
      response.putHeader("Content-Encoding", "identity");
    }
    if (request.method().equals(HttpMethod.HEAD) || range.length() == 0) {
      return response.putHeader("Content-Length", Long.toString(range.length())).end();
    }
    return response.sendFile(path.toString(), range.start(), range.length());
  }

  private boolean isKnown(HttpServerRequest request) {
    var tags = request.getHeader("If-None-Match");
    if (tags != null) {
      return Arrays.stream(tags.split(",", -1))
          .map(String::strip)
          .anyMatch(each -> each.equals("*") || strong(each).equals(strong(tag)));
    }
    var since = request.getHeader("If-Modified-Since");
    try {
      return since != null
          && !modified
              .truncatedTo(ChronoUnit.SECONDS)
              .isAfter(
                  ZonedDateTime.parse(since, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeException noDate) {
      return false;
    }
  }

  private static String strong(String tag) {
    return tag.startsWith("W/") ? tag.substring(2) : tag;
  }

  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", java.util.Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private static String date(Instant at) {
    return DATE.format(at);
  }
}
