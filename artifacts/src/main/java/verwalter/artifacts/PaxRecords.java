package verwalter.artifacts;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The records of an extended header of a tar archive, each {@code LENGTH KEY=VALUE\n}. */
final class PaxRecords {
  private final Map<String, String> values = new HashMap<>();
  private final SparseRegions regions = new SparseRegions();
  private boolean hasRegions;
  private Optional<String> offset = Optional.empty();

  /** Adds records; an empty value removes one. */
  void add(byte[] bytes) throws MalformedArchive {
    int at = 0;
    while (at < bytes.length && bytes[at] != 0) {
      int space = at;
      int length = 0;
      while (space < bytes.length && bytes[space] != ' ') {
        int digit = bytes[space] - '0';
        if (digit < 0 || digit > 9 || length > bytes.length) {
          throw malformed();
        }
        length = length * 10 + digit;
        space++;
      }
      int end = at + length;
      if (length <= space - at + 1 || end > bytes.length || bytes[end - 1] != '\n') {
        throw malformed();
      }
      int equals = space + 1;
      while (equals < end && bytes[equals] != '=') {
        equals++;
      }
      if (equals == end) {
        throw malformed();
      }
      add(
          TarHeader.decoded(bytes, space + 1, equals - space - 1),
          bytes,
          equals + 1,
          end - equals - 2);
      at = end;
    }
  }

  private void add(String key, byte[] bytes, int from, int length) throws MalformedArchive {
    switch (key) {
      case "GNU.sparse.offset" -> offset = Optional.of(TarHeader.decoded(bytes, from, length));
      case "GNU.sparse.numbytes" -> {
        region(offset.orElseThrow(PaxRecords::malformed), TarHeader.decoded(bytes, from, length));
        offset = Optional.empty();
      }
      case "GNU.sparse.map" -> map(TarHeader.decoded(bytes, from, length));
      case "path",
          "linkpath",
          "size",
          "mtime",
          "GNU.sparse.name",
          "GNU.sparse.size",
          "GNU.sparse.realsize",
          "GNU.sparse.major",
          "GNU.sparse.minor" -> {
        if (length == 0) {
          values.remove(key);
        } else {
          values.put(key, TarHeader.decoded(bytes, from, length));
        }
      }
      default -> {
        // Owners, other times and attributes are not unpacked.
      }
    }
  }

  private void region(String from, String bytes) throws MalformedArchive {
    hasRegions = true;
    regions.add(number(from), number(bytes));
  }

  private void map(String text) throws MalformedArchive {
    hasRegions = true;
    var numbers = text.split(",", -1);
    for (int i = 0; i + 1 < numbers.length; i += 2) {
      region(numbers[i], numbers[i + 1]);
    }
    if (numbers.length % 2 != 0 && !text.isEmpty()) {
      throw malformed();
    }
  }

  Optional<String> text(String key) {
    return Optional.ofNullable(values.get(key));
  }

  /** A number of bytes. */
  Optional<Long> bytes(String key) throws MalformedArchive {
    var text = text(key);
    return text.isEmpty() ? Optional.empty() : Optional.of(number(text.get()));
  }

  /** Seconds since 1970; the fraction is dropped. */
  Optional<Long> seconds(String key) throws MalformedArchive {
    var text = text(key);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Long.parseLong(text.get().replaceFirst("\\..*", "")));
    } catch (NumberFormatException other) {
      throw malformed();
    }
  }

  /** The regions of a sparse file, if the records list them. */
  Optional<SparseRegions> regions() {
    return hasRegions ? Optional.of(regions) : Optional.empty();
  }

  static long number(String text) throws MalformedArchive {
    if (!text.matches("[0-9]{1,18}")) {
      throw malformed();
    }
    return Long.parseLong(text);
  }

  private static MalformedArchive malformed() {
    return new MalformedArchive("an extended header of the tar archive is malformed");
  }
}
