package verwalter.stores.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import verwalter.stores.engine.Entry;
import verwalter.stores.engine.Log;
import verwalter.stores.engine.Sink;
import verwalter.stores.engine.Snapshot;

/** The copy of a log on a disk that can fail at each step. */
class LogCopyTest {
  private static final byte EPOCH = 2;
  private static final int FILE_BYTES = 400;
  private static final int ENTRIES = 40;

  /** What a copy contains. */
  private static final class Contents implements Log.Reader {
    private long base;
    private final List<Long> entries = new ArrayList<>();

    @Override
    public void begin(long index, long version) {
      base = index;
      entries.clear();
    }

    @Override
    public boolean block(ByteBuffer block) {
      return Snapshot.isEnd(block);
    }

    @Override
    public void entry(long index, Entry entry) {
      assertThat(index).isEqualTo(index() + 1);
      var sink = new Sink();
      entry.write(sink);
      assertThat(sink.bytes()).isEqualTo(bytes(index));
      entries.add(index);
    }

    @Override
    public void complete() {}

    @Override
    public long index() {
      return base + entries.size();
    }
  }

  private static ByteBuffer bytes(long number) {
    var sink = new Sink();
    sink.number(EPOCH);
    sink.number(number);
    sink.number(1_000 * number);
    return sink.bytes();
  }

  private static List<ByteBuffer> entries(long first, long last) {
    return LongStream.rangeClosed(first, last).mapToObj(LogCopyTest::bytes).toList();
  }

  private static Snapshot snapshot(long index) {
    return Snapshot.of(index, index, List.of());
  }

  private static LogCopy open(JournalDisk disk) throws IOException {
    return LogCopy.open(disk, FILE_BYTES, () -> "copy");
  }

  private static Contents read(CrashDisk disk) throws IOException {
    try (var copy = open(disk)) {
      var contents = new Contents();
      copy.read(contents);
      assertThat(copy.last()).isEqualTo(contents.index());
      return contents;
    }
  }

  @Test
  void entriesAndTheChecksumOfTheLastAreReadBack() throws IOException {
    var disk = new CrashDisk();
    var copy = open(disk);
    assertThat(copy.read(new Contents())).isEmpty();
    copy.write(1, entries(1, 3));
    copy.write(4, entries(4, 4));
    copy.close();
    copy = open(disk);
    var contents = new Contents();
    assertThat(copy.read(contents)).isEqualTo(OptionalInt.of(LogCopy.checksum(bytes(4))));
    assertThat(contents.entries).containsExactly(1L, 2L, 3L, 4L);
    copy.close();
  }

  @Test
  void aGapIsRefused() throws IOException {
    var copy = open(new CrashDisk());
    copy.read(new Contents());
    assertThatThrownBy(() -> copy.write(2, entries(2, 2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("entry 2 follows 0");
  }

  @Test
  void aReplacedCopyBeginsWithTheSnapshot() throws IOException {
    var disk = new CrashDisk();
    var copy = open(disk);
    copy.read(new Contents());
    copy.write(1, entries(1, 3));
    assertThatThrownBy(() -> copy.replace(snapshot(2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("does not replace entry 3");
    copy.replace(snapshot(10));
    assertThat(copy.last()).isEqualTo(10);
    copy.write(11, entries(11, 12));
    copy.close();
    var contents = read(disk);
    assertThat(contents.base).isEqualTo(10);
    assertThat(contents.entries).containsExactly(11L, 12L);
    assertThat(disk.names()).hasSize(3); // snapshot, log and marker
  }

  @Test
  void aFailedCopyGoesOnAfterItIsReplaced() throws IOException {
    var disk = new CrashDisk();
    var copy = open(disk);
    copy.read(new Contents());
    copy.write(1, entries(1, 3));
    disk.failAfter(1, "I/O error"); // of the force
    assertThatThrownBy(() -> copy.write(4, entries(4, 5))).hasMessageContaining("I/O error");
    assertThat(copy.last()).isEqualTo(3);
    assertThatThrownBy(() -> copy.write(4, entries(4, 5))).hasMessageContaining("earlier write");
    copy.replace(snapshot(5));
    copy.write(6, entries(6, 6));
    var contents = read(disk.afterCrash(CrashDisk.Loss.ALL, new Random(1)));
    assertThat(contents.base).isEqualTo(5);
    assertThat(contents.index()).isEqualTo(6);
  }

  @Test
  void aCrashAtAnyStepLosesNothingDurable() throws IOException {
    var whole = new CrashDisk();
    assertThat(work(whole)).isEqualTo(ENTRIES);
    assertThat(whole.points()).isGreaterThan(100);
    for (int point = 0; point < whole.points(); point++) {
      var disk = new CrashDisk();
      disk.crashAt(point);
      long durable = work(disk);
      for (var loss : CrashDisk.Loss.values()) {
        var found = disk.afterCrash(loss, new Random(point));
        var index = read(found).index();
        assertThat(index).as("point %d, %s", point, loss).isBetween(durable, (long) ENTRIES);
        assertThat(read(found.afterCrash(loss, new Random(point))).index()).isEqualTo(index);
      }
    }
  }

  /** Writes all entries, with snapshots and a replacement. Returns the last durable one. */
  private static long work(CrashDisk disk) throws IOException {
    LogCopy copy;
    try {
      copy = open(disk);
      copy.read(new Contents());
    } catch (IOException crashed) {
      return 0;
    }
    try {
      while (copy.last() < ENTRIES) {
        long next = copy.last() + 1;
        if (next == 21) {
          copy.replace(snapshot(25));
        } else {
          copy.write(next, entries(next, Math.min(ENTRIES, next + 1)));
          copy.keep(snapshot(copy.last()));
        }
      }
    } catch (IOException crashed) {
      // the test reads what is left
    }
    return copy.last();
  }
}
