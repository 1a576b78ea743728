package verwalter.ui.http;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The part of a file that a {@code Range} header requests. Pure.
 *
 * @param start offset of the first byte
 * @param length in bytes; 0 only for the end of an empty file
 */
record ByteRange(long start, long length) {
  /** The maximum number of ranges in one header. */
  private static final int MOST = 16;

  private static final Pattern ONE = Pattern.compile("\\s*(\\d{0,18})\\s*-\\s*(\\d{0,18})\\s*");

  private long end() {
    return start + length;
  }

  /** The value of {@code Content-Range}. */
  String content(long size) {
    return length == 0 ? "bytes */" + size : "bytes %d-%d/%d".formatted(start, end() - 1, size);
  }

  /** The requested part; empty if it cannot be satisfied. */
  static Optional<ByteRange> of(String header, long size) {
    if (!header.startsWith("bytes=")) {
      return Optional.empty();
    }
    var ranges = new ArrayList<ByteRange>();
    var parts = header.substring("bytes=".length()).split(",", MOST + 1);
    if (parts.length > MOST) {
      return Optional.empty();
    }
    for (var part : parts) {
      var range =
          Optional.of(ONE.matcher(part)).filter(Matcher::matches).flatMap(it -> one(it, size));
      if (range.isEmpty()) {
        return Optional.empty();
      }
      ranges.add(range.get());
    }
    return merged(ranges);
  }

  private static Optional<ByteRange> one(Matcher matcher, long size) {
    var from = matcher.group(1);
    var to = matcher.group(2);
    if (from.isEmpty()) {
      return to.isEmpty() ? Optional.empty() : last(Long.parseLong(to), size);
    }
    long start = Long.parseLong(from);
    long end = to.isEmpty() ? size : Math.min(size, Long.parseLong(to) + 1);
    return start < end ? Optional.of(new ByteRange(start, end - start)) : Optional.empty();
  }

  private static Optional<ByteRange> last(long wanted, long size) {
    long length = Math.min(wanted, size);
    return wanted == 0 ? Optional.empty() : Optional.of(new ByteRange(size - length, length));
  }

  /** Ranges joined to one; empty if there is a gap between them. */
  private static Optional<ByteRange> merged(List<ByteRange> ranges) {
    ranges.sort(Comparator.comparingLong(ByteRange::start));
    var all = ranges.get(0);
    for (var next : ranges) {
      if (next.start() > all.end()) {
        return Optional.empty();
      }
      all = new ByteRange(all.start(), Math.max(all.end(), next.end()) - all.start());
    }
    return Optional.of(all);
  }
}
