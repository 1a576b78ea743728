package verwalter.stores.logkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.model.Version;
import verwalter.stores.engine.Entry;
import verwalter.stores.engine.Log;
import verwalter.stores.engine.Sink;
import verwalter.stores.engine.Snapshot;

/**
 * Tests of every promise of a {@link Log}, also while its medium fails. Extend it and give it a
 * medium; the log may answer an append before it returns or later, on the same thread.
 */
public abstract class LogContract {
  private static final byte EPOCH = 2;
  private static final int MANY = 60;

  /** An empty medium, whose log forgets entries before a snapshot after at most 20 entries. */
  protected abstract LogMedium newMedium();

  /** An entry that differs from every other one. */
  private static Entry entry(long number) {
    var sink = new Sink();
    sink.number(EPOCH);
    sink.number(number);
    sink.number(1_000 * number);
    try {
      return Entry.read(sink.bytes());
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static List<String> texts(long first, long last) {
    var texts = new ArrayList<String>();
    for (long number = first; number <= last; number++) {
      texts.add(ReadLog.text(entry(number)));
    }
    return texts;
  }

  /** A snapshot of the state after that entry. */
  private static Snapshot snapshot(long index) {
    var node = Resource.of(Node.KIND, "n" + index, new Node.Spec(false));
    var meta =
        node.meta()
            .committed(
                "uid", Version.of(index, 0), 1, node.meta().created(), node.meta().deleted());
    return Snapshot.of(index, Version.of(index, 0), List.of(node.withMeta(meta)));
  }

  private static List<Byte> bytes(Snapshot snapshot) throws IOException {
    var bytes = new ArrayList<Byte>();
    snapshot.write(
        block -> {
          var copy = block.duplicate();
          while (copy.hasRemaining()) {
            bytes.add(copy.get());
          }
        });
    return bytes;
  }

  /** A log in use: appends entries with growing numbers and notes what was reported to it. */
  private static final class Use implements Log.Follower {
    private final Log log;
    private final List<String> committed = new ArrayList<>();
    private final List<String> answers = new ArrayList<>();
    private long last;

    private Use(LogMedium medium) throws IOException {
      log = medium.open();
      last = ReadLog.of(log).index();
      log.follow(this);
    }

    @Override
    public void committed(long first, List<Entry> entries, boolean ours) {
      assertThat(ours).isTrue();
      assertThat(first).isEqualTo(last + 1);
      entries.forEach(each -> committed.add(ReadLog.text(each)));
      last += entries.size();
    }

    @Override
    public void replaced(Log.Contents newer) {
      throw new AssertionError("no entry is missing");
    }

    @Override
    public void ended(String why) {
      throw new AssertionError(why);
    }

    /** Appends the next entries and gives the answer. */
    private String append(int count) {
      var entries = new ArrayList<Entry>();
      for (int i = 1; i <= count; i++) {
        entries.add(entry(last + i));
      }
      long before = last;
      log.append(
          last + 1,
          entries,
          new Log.Receipt() {
            @Override
            public void committed() {
              assertThat(last).as("reported before the receipt").isEqualTo(before + count);
              answers.add("committed");
            }

            @Override
            public void nothingWritten(String why) {
              assertThat(last).isEqualTo(before);
              assertThat(why).isNotEmpty();
              answers.add("nothing");
            }

            @Override
            public void unknown(String why) {
              assertThat(why).isNotEmpty();
              answers.add("unknown");
            }

            @Override
            public void overtaken() {
              throw new AssertionError("no other process appends");
            }

            @Override
            public void unanswered(String why) {
              throw new AssertionError(why);
            }
          });
      return answers.isEmpty() ? "" : answers.get(answers.size() - 1);
    }

    private void applied() throws IOException {
      log.applied(snapshot(last));
    }
  }

  private static ReadLog read(LogMedium medium) throws IOException {
    try (var log = medium.open()) {
      return ReadLog.of(log);
    }
  }

  @Test
  @DisplayName("an empty log gives no entry, and the first one has the number 1")
  void anEmptyLogBeginsWithOne() throws IOException {
    var medium = newMedium();
    assertThat(read(medium).index()).isZero();

    var use = new Use(medium);
    assertThat(use.append(1)).isEqualTo("committed");
    assertThat(use.last).isEqualTo(1);
    assertThat(use.log.largestEntry()).isPositive();
    assertThat(use.log.toString()).isNotEmpty();
    use.log.close();
  }

  @Test
  @DisplayName("1, 2: entries are read in the order of their appends, each once")
  void entriesAreReadInOrder() throws IOException {
    var medium = newMedium();
    var use = new Use(medium);
    use.append(1);
    use.append(3);
    use.append(2);
    use.log.close();

    assertThat(read(medium).entries()).isEqualTo(texts(1, 6));
    assertThat(read(medium).entries()).isEqualTo(texts(1, 6));
  }

  @Test
  @DisplayName("1: a log that is opened again goes on with the next number")
  void numbersGoOn() throws IOException {
    var medium = newMedium();
    for (int round = 0; round < 4; round++) {
      var use = new Use(medium);
      assertThat(use.append(2)).isEqualTo("committed");
      use.log.close();
    }
    assertThat(read(medium).entries()).isEqualTo(texts(1, 8));
  }

  @Test
  @DisplayName("3: an append is reported to the follower as a whole and answered once")
  void appendsAreReported() throws IOException {
    var use = new Use(newMedium());
    use.append(2);
    use.append(1);
    assertThat(use.committed).isEqualTo(texts(1, 3));
    assertThat(use.answers).containsExactly("committed", "committed");
    use.log.close();
  }

  @Test
  @DisplayName("3: acknowledged entries are present after a crash")
  void whatWasAcknowledgedLasts() throws IOException {
    for (int seed = 0; seed < 20; seed++) {
      var medium = newMedium();
      var use = new Use(medium);
      use.append(3);
      use.append(1);
      assertThat(read(medium.afterCrash(seed)).entries()).isEqualTo(texts(1, 4));
    }
  }

  @Test
  @DisplayName("3: a crash at any step loses nothing that was acknowledged, and leaves no gap")
  void aCrashAtAnyStepLosesNothing() throws IOException {
    var whole = newMedium();
    work(new Use(whole));
    assertThat(whole.steps()).isGreaterThan(MANY);
    for (int step = 0; step < whole.steps(); step++) {
      var medium = newMedium();
      medium.failAt(step);
      long acknowledged = 0;
      long appended = 0;
      try {
        var use = new Use(medium);
        appended = MANY;
        work(use);
        acknowledged = use.last;
      } catch (IOException crashed) {
        // as it should
      }
      for (int seed = 0; seed < 3; seed++) {
        var found = medium.afterCrash(31L * step + seed);
        var use = new Use(found);
        assertThat(use.last).as("step %d", step).isBetween(acknowledged, appended);
        assertThat(use.append(1)).isEqualTo("committed");
        long last = use.last;
        var read = read(found.afterCrash(seed));
        assertThat(read.index()).isEqualTo(last);
        assertThat(read.entries()).isEqualTo(texts(read.base() + 1, last));
      }
    }
  }

  /** Appends {@link #MANY} entries, with snapshots, until the log does not know what it wrote. */
  private static void work(Use use) throws IOException {
    while (use.last < MANY && use.append(use.last % 3 == 0 ? 2 : 1).equals("committed")) {
      use.applied();
    }
  }

  @Test
  @DisplayName("4: an append that wrote nothing leaves no trace, and the next one may succeed")
  void aRefusedAppendLeavesNoTrace() throws IOException {
    var medium = newMedium();
    var use = new Use(medium);
    use.append(2);
    medium.refuseNext();
    assertThat(use.append(3)).isEqualTo("nothing");
    assertThat(use.append(1)).isEqualTo("committed");
    use.log.close();

    assertThat(use.committed).isEqualTo(texts(1, 3));
    assertThat(read(medium).entries()).isEqualTo(texts(1, 3));
  }

  @Test
  @DisplayName("4: after a failure for good an append does not claim to have written nothing")
  void anUnknownFateIsSaid() throws IOException {
    var medium = newMedium();
    var use = new Use(medium);
    use.append(2);
    medium.failAt(medium.steps());
    assertThat(use.append(1)).isEqualTo("unknown");

    var read = read(medium.afterCrash(1));
    assertThat(read.entries()).isEqualTo(texts(1, read.index()));
    assertThat(read.index()).isBetween(2L, 3L);
  }

  @Test
  @DisplayName("2: a log that forgets entries gives a snapshot and every entry behind it")
  void aSnapshotStandsForWhatIsForgotten() throws IOException {
    var medium = newMedium();
    var use = new Use(medium);
    work(use);
    use.log.close();

    var read = read(medium);
    assertThat(read.base()).isPositive();
    assertThat(read.version()).isEqualTo(Version.of(read.base(), 0));
    assertThat(read.snapshot()).isEqualTo(bytes(snapshot(read.base())));
    assertThat(read.index()).isEqualTo(use.last);
    assertThat(read.entries()).isEqualTo(texts(read.base() + 1, use.last));
  }

  @Test
  @DisplayName("2: the torn end that a crash leaves is dropped")
  void aTornEndIsDropped() throws IOException {
    var medium = newMedium();
    var use = new Use(medium);
    use.append(3);
    use.log.close();
    medium.tear();

    var again = new Use(medium);
    assertThat(again.last).isEqualTo(3);
    again.append(1);
    again.log.close();
    assertThat(read(medium).entries()).isEqualTo(texts(1, 4));
  }

  @Test
  @DisplayName("1: a gap is an error that says so, and nothing is changed")
  void aGapIsAnError() throws IOException {
    var medium = newMedium();
    var use = new Use(medium);
    work(use);
    use.log.close();
    assertThat(medium.loseOne()).isTrue();

    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> read(medium))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("missing");
    }
  }
}
