package verwalter.artifacts;

import static verwalter.artifacts.LittleEndian.four;
import static verwalter.artifacts.LittleEndian.two;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Reads zip archives by their central directory, which is read twice and never held: first for the
 * sum of all sizes, then entry by entry. Contents are checked against their sizes and CRCs.
 */
final class ZipReader implements ArchiveReader {
  private static final int LOCAL = 30;
  private static final long LOCAL_SIGNATURE = 0x04034b50;
  private static final int STORED = 0;
  private static final int DEFLATED = 8;
  private static final int MOST_LINK = 4096;

  private final FileChannel archive;
  private final ZipDirectory directory;
  private final byte[] window = new byte[1 << 16];
  private final byte[] packed = new byte[1 << 16];
  private final Inflater inflater = new Inflater(true);
  private final CRC32 crc = new CRC32();

  private long windowStart;
  private int windowLength;
  private long at;
  private long left;

  private Optional<ZipRecord> present = Optional.empty();
  private long from;
  private long packedLeft;
  private long contentLeft;
  private long packedBefore;

  private ZipReader(FileChannel archive) throws IOException {
    this.archive = archive;
    this.directory = ZipDirectory.of(archive);
    restart();
  }

  static ZipReader open(Path path) throws IOException {
    var archive = ArtifactDisk.reading(path);
    try {
      return new ZipReader(archive);
    } catch (IOException | RuntimeException failed) {
      archive.close();
      throw failed;
    }
  }

  @Override
  public OptionalLong announced() throws IOException {
    long sum = 0;
    restart();
    for (var it = record(); it.isPresent(); it = record()) {
      sum += Math.min(it.get().bytes(), Long.MAX_VALUE - sum);
    }
    restart();
    return OptionalLong.of(sum);
  }

  private void restart() {
    at = directory.offset();
    left = directory.entries();
  }

  private Optional<ZipRecord> record() throws IOException {
    if (left == 0) {
      return Optional.empty();
    }
    left--;
    var fixed = directoryBytes(ZipRecord.FIXED);
    if (four(fixed, 0) != ZipRecord.SIGNATURE) {
      throw ZipRecord.malformed();
    }
    var name = directoryBytes(two(fixed, 28));
    var extra = directoryBytes(two(fixed, 30));
    at += two(fixed, 32);
    return Optional.of(ZipRecord.of(fixed, name, extra));
  }

  private byte[] directoryBytes(int length) throws IOException {
    if (at + length > directory.offset() + directory.bytes()) {
      throw ZipRecord.malformed();
    }
    if (length > window.length) {
      throw ZipRecord.malformed();
    }
    if (at < windowStart || at + length > windowStart + windowLength) {
      windowStart = at;
      windowLength = 0;
      long rest = directory.offset() + directory.bytes() - at;
      int want = (int) Math.min(window.length, rest);
      var bytes = ZipDirectory.read(archive, at, want);
      System.arraycopy(bytes, 0, window, 0, want);
      windowLength = want;
    }
    int start = (int) (at - windowStart);
    at += length;
    return java.util.Arrays.copyOfRange(window, start, start + length);
  }

  @Override
  public Optional<ArchiveEntry> next() throws IOException {
    present.ifPresent(it -> packedBefore += it.packed());
    present = record();
    if (present.isEmpty()) {
      return Optional.empty();
    }
    var record = present.get();
    var type = record.type();
    begin(record);
    var target = "";
    if (type == ArchiveEntry.Type.SYMBOLIC_LINK) {
      target = target(record);
    }
    if (record.name().indexOf('\\') >= 0) {
      throw new MalformedArchive(
          "the name \"%s\" has a backslash, which programs read differently"
              .formatted(record.name()));
    }
    return Optional.of(
        new ArchiveEntry(
            record.name(),
            type,
            type == ArchiveEntry.Type.FILE ? record.bytes() : 0,
            record.isExecutable(),
            record.modified(),
            target));
  }

  private void begin(ZipRecord record) throws IOException {
    if (record.method() != STORED && record.method() != DEFLATED) {
      throw new MalformedArchive(
          "\"%s\" is compressed by the unsupported method %d"
              .formatted(record.name(), record.method()));
    }
    if (record.offset() > directory.offset() - LOCAL) {
      throw ZipRecord.malformed();
    }
    var local = ZipDirectory.read(archive, record.offset(), LOCAL);
    if (four(local, 0) != LOCAL_SIGNATURE) {
      throw ZipRecord.malformed();
    }
    from = record.offset() + LOCAL + two(local, 26) + two(local, 28);
    if (record.packed() > directory.offset() - from
        || (record.method() == STORED && record.packed() != record.bytes())) {
      throw ZipRecord.malformed();
    }
    packedLeft = record.packed();
    contentLeft = record.bytes();
    crc.reset();
    inflater.reset();
  }

  private String target(ZipRecord record) throws IOException {
    if (record.bytes() > MOST_LINK) {
      throw new MalformedArchive("the link \"%s\" is too long".formatted(record.name()));
    }
    var bytes = new byte[(int) record.bytes()];
    int length = 0;
    while (length < bytes.length) {
      length += Math.max(0, read(bytes, length, bytes.length - length));
    }
    finish(record);
    return StrictText.utf8(bytes, 0, length)
        .orElseThrow(() -> new MalformedArchive("a link in the zip archive is not UTF-8"));
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    var record = present.orElseThrow();
    if (contentLeft == 0) {
      finish(record);
      return -1;
    }
    int wanted = (int) Math.min(length, contentLeft);
    int n =
        record.method() == STORED ? stored(into, offset, wanted) : inflated(into, offset, wanted);
    contentLeft -= n;
    crc.update(into, offset, n);
    return n;
  }

  private int stored(byte[] into, int offset, int length) throws IOException {
    int n = archive.read(ByteBuffer.wrap(into, offset, length), from);
    if (n < 0) {
      throw ZipRecord.malformed();
    }
    from += n;
    packedLeft -= n;
    return n;
  }

  private int inflated(byte[] into, int offset, int length) throws IOException {
    try {
      while (true) {
        int n = inflater.inflate(into, offset, length);
        if (n > 0) {
          return n;
        }
        if (inflater.finished() || inflater.needsDictionary() || packedLeft == 0) {
          throw new MalformedArchive(
              "\"%s\" is shorter than the zip archive says"
                  .formatted(present.orElseThrow().name()));
        }
        refill();
      }
    } catch (DataFormatException damaged) {
      throw new MalformedArchive(
          "\"%s\" is damaged: %s".formatted(present.orElseThrow().name(), damaged.getMessage()));
    }
  }

  private void refill() throws IOException {
    int want = (int) Math.min(packed.length, packedLeft);
    int n = archive.read(ByteBuffer.wrap(packed, 0, want), from);
    if (n < 0) {
      throw ZipRecord.malformed();
    }
    from += n;
    packedLeft -= n;
    inflater.setInput(packed, 0, n);
  }

  /** Checks that the content ends where the directory says, and its CRC. */
  private void finish(ZipRecord record) throws IOException {
    if (record.method() == DEFLATED && record.bytes() + record.packed() > 0) {
      mustEnd(record);
    }
    if (crc.getValue() != record.crc()) {
      throw new MalformedArchive("\"%s\" is damaged: its CRC differs".formatted(record.name()));
    }
  }

  private void mustEnd(ZipRecord record) throws IOException {
    var one = new byte[1];
    try {
      while (!inflater.finished()) {
        int n = inflater.inflate(one);
        if (n > 0) {
          throw new MalformedArchive(
              "\"%s\" is longer than the zip archive says".formatted(record.name()));
        }
        if (!inflater.finished()) {
          if (packedLeft == 0 || inflater.needsDictionary()) {
            throw ZipRecord.malformed();
          }
          refill();
        }
      }
    } catch (DataFormatException damaged) {
      throw new MalformedArchive(
          "\"%s\" is damaged: %s".formatted(record.name(), damaged.getMessage()));
    }
  }

  @Override
  public long position() {
    return packedBefore + present.map(it -> it.packed() - packedLeft).orElse(0L);
  }

  @Override
  public OptionalLong entries() {
    return OptionalLong.of(directory.entries());
  }

  @Override
  public void close() throws IOException {
    inflater.end();
    archive.close();
  }
}
