package verwalter.artifacts;

import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads tar archives: those of POSIX (ustar, pax) and of GNU tar with long names and sparse files.
 * Zeros of sparse files are returned as bytes. An archive without the block of zeros at its end is
 * cut off.
 */
final class TarReader implements ArchiveReader {
  /** Longer extended headers are refused. */
  static final int MOST_EXTENDED = 1 << 20;

  private static final int MOST_PADDING = 64 << 20;

  /** More headers before one entry are refused. */
  private static final int MOST_HEADERS = 64;

  private final InputStream in;
  private final CountedInput packed;
  private final byte[] block = new byte[TarHeader.SIZE];
  private final byte[] skipped = new byte[1 << 16];

  /** Bytes of the present entry that were not read from the stream. */
  private long stored;

  /** Zeros after the present entry that fill its last block. */
  private int padding;

  /** The rest of the present entry's content. */
  private long content;

  private long position;
  private List<SparseRegions.Region> regions = List.of();
  private int region;

  /**
   * @param in the tar archive
   * @param packed the same before it is decompressed
   */
  TarReader(InputStream in, CountedInput packed) {
    this.in = in;
    this.packed = packed;
  }

  @Override
  public Optional<ArchiveEntry> next() throws IOException {
    skipRest();
    var extended = new PaxRecords();
    Optional<String> longName = Optional.empty();
    Optional<String> longTarget = Optional.empty();
    for (int i = 0; i < MOST_HEADERS; i++) {
      mustReadBlock();
      if (TarHeader.isBlank(block)) {
        readToEnd();
        return Optional.empty();
      }
      var header = TarHeader.of(block.clone());
      switch (header.type()) {
        case 'x' -> extended.add(small(header));
        case 'L' -> longName = Optional.of(untilZero(small(header)));
        case 'K' -> longTarget = Optional.of(untilZero(small(header)));
        case 'V' -> small(header);
        case 'g' -> {
          var global = new PaxRecords();
          global.add(small(header));
          if (List.of("path", "linkpath", "size").stream().anyMatch(it -> has(global, it))) {
            throw new MalformedArchive("the tar archive has one name or size for all its entries");
          }
        }
        default -> {
          return Optional.of(entry(header, extended, longName, longTarget));
        }
      }
    }
    throw new MalformedArchive("an entry of the tar archive has too many headers");
  }

  private static boolean has(PaxRecords records, String key) {
    return records.text(key).isPresent();
  }

  private ArchiveEntry entry(
      TarHeader header, PaxRecords extended, Optional<String> longName, Optional<String> longTarget)
      throws IOException {
    var name = extended.text("GNU.sparse.name").or(() -> extended.text("path")).or(() -> longName);
    var path = name.isPresent() ? name.get() : header.name();
    var linked = extended.text("linkpath").or(() -> longTarget);
    var target = linked.isPresent() ? linked.get() : header.target();
    long seconds = extended.seconds("mtime").orElse(header.modified());
    var modified = Instant.ofEpochSecond(Math.max(0, Math.min(seconds, Integer.MAX_VALUE * 4L)));
    boolean executable = (header.mode() & 0100) != 0;
    long size = extended.bytes("size").orElse(header.size());
    var type = type(header.type(), path);
    if (type != ArchiveEntry.Type.FILE) {
      // Some programs note the size of the file that a hard link names, without its content.
      begin(type == ArchiveEntry.Type.DIRECTORY ? size : 0);
      content = 0;
      boolean isLink = type != ArchiveEntry.Type.DIRECTORY;
      return new ArchiveEntry(path, type, 0, false, modified, isLink ? target : "");
    }
    begin(size);
    long whole = header.type() == 'S' ? oldSparse(header) : sparse(extended);
    return new ArchiveEntry(path, type, whole, executable, modified, "");
  }

  private static ArchiveEntry.Type type(char type, String path) throws MalformedArchive {
    return switch (type) {
      case 0, '0', '7', 'S' ->
          path.endsWith("/") ? ArchiveEntry.Type.DIRECTORY : ArchiveEntry.Type.FILE;
      case '1' -> ArchiveEntry.Type.HARD_LINK;
      case '2' -> ArchiveEntry.Type.SYMBOLIC_LINK;
      case '5' -> ArchiveEntry.Type.DIRECTORY;
      case '3', '4' -> throw new MalformedArchive("\"%s\" is a device".formatted(path));
      case '6' -> throw new MalformedArchive("\"%s\" is a named pipe".formatted(path));
      default ->
          throw new MalformedArchive(
              "\"%s\" has the unsupported type %d".formatted(path, (int) type));
    };
  }

  private void begin(long size) {
    stored = size;
    padding = (int) (-size & (TarHeader.SIZE - 1));
    content = size;
    position = 0;
    regions = size == 0 ? List.of() : List.of(new SparseRegions.Region(0, size));
    region = 0;
  }

  private long oldSparse(TarHeader header) throws IOException {
    var map = new SparseRegions();
    header.regions(map);
    boolean more = header.isContinued();
    while (more) {
      mustReadBlock();
      TarHeader.regions(block, 0, 21, map);
      more = block[504] != 0;
    }
    return sparse(map, header.realSize());
  }

  private long sparse(PaxRecords extended) throws IOException {
    var map = extended.regions();
    if (map.isPresent()) {
      return sparse(map.get(), extended.bytes("GNU.sparse.size").orElse(stored));
    } else if (extended.text("GNU.sparse.major").isPresent()) {
      return sparse(mapBeforeContent(), extended.bytes("GNU.sparse.realsize").orElse(stored));
    }
    return stored;
  }

  private long sparse(SparseRegions map, long realSize) throws MalformedArchive {
    regions = map.checked(realSize, stored);
    content = realSize;
    return realSize;
  }

  /** Lines with decimal numbers, and zeros to the end of the block. */
  private SparseRegions mapBeforeContent() throws IOException {
    var numbers = new Lines();
    long count = numbers.next();
    if (count > SparseRegions.MOST) {
      throw new MalformedArchive("a sparse file has too many regions");
    }
    var map = new SparseRegions();
    for (long i = 0; i < count; i++) {
      map.add(numbers.next(), numbers.next());
    }
    return map;
  }

  private final class Lines {
    private int at = TarHeader.SIZE;

    long next() throws IOException {
      var digits = new StringBuilder();
      while (true) {
        if (at == TarHeader.SIZE) {
          if (stored < TarHeader.SIZE) {
            throw new MalformedArchive("the regions of a sparse file are cut off");
          }
          mustReadBlock();
          stored -= TarHeader.SIZE;
          at = 0;
        }
        char it = (char) block[at++];
        if (it == '\n') {
          return PaxRecords.number(digits.toString());
        }
        if (digits.append(it).length() > 20) {
          throw new MalformedArchive("the regions of a sparse file are malformed");
        }
      }
    }
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (content == 0) {
      return -1;
    }
    long gap = region < regions.size() ? regions.get(region).offset() - position : content;
    int n;
    if (gap > 0) {
      n = (int) Math.min(Math.min(gap, content), length);
      java.util.Arrays.fill(into, offset, offset + n, (byte) 0);
    } else {
      var present = regions.get(region);
      long left = present.offset() + present.bytes() - position;
      n = in.read(into, offset, (int) Math.min(left, length));
      if (n < 0) {
        throw cutOff();
      }
      stored -= n;
      if (n == left) {
        region++;
      }
    }
    position += n;
    content -= n;
    return n;
  }

  private void skipRest() throws IOException {
    long rest = stored + padding;
    while (rest > 0) {
      int n = in.read(skipped, 0, (int) Math.min(rest, skipped.length));
      if (n < 0) {
        throw cutOff();
      }
      rest -= n;
    }
    begin(0);
  }

  /** What follows is padding, but a compressed archive has its checksum at the end. */
  private void readToEnd() throws IOException {
    int rest = 0;
    for (int n = in.read(skipped); n >= 0; n = in.read(skipped)) {
      rest += n;
      if (rest > MOST_PADDING) {
        throw new MalformedArchive("too many bytes follow the end of the tar archive");
      }
    }
  }

  /** The content of an entry that describes the next one. */
  private byte[] small(TarHeader header) throws IOException {
    if (header.size() > MOST_EXTENDED) {
      throw new MalformedArchive(
          "an extended header of the tar archive has %d bytes; the limit is %d"
              .formatted(header.size(), MOST_EXTENDED));
    }
    begin(header.size());
    var bytes = in.readNBytes((int) header.size());
    if (bytes.length < header.size()) {
      throw cutOff();
    }
    stored = 0;
    skipRest();
    return bytes;
  }

  private static String untilZero(byte[] bytes) throws MalformedArchive {
    int end = 0;
    while (end < bytes.length && bytes[end] != 0) {
      end++;
    }
    return TarHeader.decoded(bytes, 0, end);
  }

  private void mustReadBlock() throws IOException {
    if (in.readNBytes(block, 0, block.length) < block.length) {
      throw cutOff();
    }
  }

  private static MalformedArchive cutOff() {
    return new MalformedArchive("the tar archive is cut off");
  }

  @Override
  public long position() {
    return packed.count();
  }

  @Override
  public OptionalLong announced() {
    return OptionalLong.empty();
  }

  @Override
  public OptionalLong entries() {
    return OptionalLong.empty();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
