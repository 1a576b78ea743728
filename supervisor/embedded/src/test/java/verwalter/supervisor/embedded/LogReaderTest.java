package verwalter.supervisor.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.files.FileAccess;

class LogReaderTest {
  private static final Instant NOON = Instant.parse("2026-11-26T12:00:00Z");
  private static final int MOST = 20_000;
  private static final LogQuery ALL =
      new LogQuery("shop", Optional.empty(), Optional.empty(), -1, Optional.empty(), false, false);

  @TempDir Path root;
  private Path log;
  private LogFiles files;

  @BeforeEach
  void open() {
    log = root.resolve("shop.web.0.log");
    files = files(FileHead.of(ProcessShim.program("fallocate")));
  }

  private static LogFiles files(FileHead head) {
    return new LogFiles(FileAccess.PRIVATE, head, MOST, 5);
  }

  private void write(String text, Instant at) throws IOException {
    Files.writeString(log, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    Files.setLastModifiedTime(log, FileTime.from(at));
    files.rotate(Set.of(log), at);
  }

  private static LogQuery last(int lines) {
    return new LogQuery(
        "shop", Optional.empty(), Optional.empty(), lines, Optional.empty(), false, false);
  }

  private List<LogLine> read(LogQuery query) throws IOException {
    var reader = LogReader.of(new LogHistory(files, log), "shop/web.0", query);
    var lines = taken(reader);
    reader.unfinished();
    lines.addAll(taken(reader));
    return lines;
  }

  private static List<LogLine> taken(LogReader reader) throws IOException {
    var lines = new ArrayList<LogLine>();
    for (var line = reader.peek(); line.isPresent(); line = reader.peek()) {
      lines.add(line.get());
      reader.take();
    }
    return lines;
  }

  private List<String> texts(LogQuery query) throws IOException {
    return read(query).stream().map(LogLine::text).toList();
  }

  @Test
  void aLineHasTheTimeOfTheLookAfterIt() throws IOException {
    write("a\nb\n", NOON);
    write("c\n", NOON.plusSeconds(5));
    assertThat(read(ALL))
        .containsExactly(
            new LogLine(NOON, "shop/web.0", "a"),
            new LogLine(NOON, "shop/web.0", "b"),
            new LogLine(NOON.plusSeconds(5), "shop/web.0", "c"));
  }

  @Test
  void timesAreKeptWhenTheLogIsRotatedAndTheAgentIsRestarted() throws IOException {
    var expected = new ArrayList<LogLine>();
    for (int i = 0; i < 600; i++) {
      var at = NOON.plusSeconds(i);
      write("line %d %s\n".formatted(i, "x".repeat(100)), at);
      expected.add(new LogLine(at, "shop/web.0", "line %d %s".formatted(i, "x".repeat(100))));
    }
    assertThat(root.resolve("shop.web.0.log.2")).exists();
    assertThat(read(ALL)).containsExactlyElementsOf(expected);
    files = files(FileHead.of(ProcessShim.program("fallocate")));
    assertThat(read(ALL)).containsExactlyElementsOf(expected);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 199, 599, 600, 1000})
  void readsTheLastLinesOverAllFiles(int number) throws IOException {
    for (int i = 0; i < 600; i++) {
      write("line %d %s\n".formatted(i, "x".repeat(100)), NOON);
    }
    assertThat(texts(last(number)))
        .containsExactlyElementsOf(
            IntStream.range(Math.max(0, 600 - number), 600)
                .mapToObj(i -> "line %d %s".formatted(i, "x".repeat(100)))
                .toList());
  }

  @Test
  void anUnfinishedLineIsTheLast() throws IOException {
    write("a\nb", NOON);
    assertThat(texts(last(1))).containsExactly("b");
    assertThat(texts(last(2))).containsExactly("a", "b");
  }

  @Test
  void theLastLinesOfASparseLogAreSearchedForInItsEndOnly() throws IOException {
    write("first\n", NOON);
    long size = 1L << 32;
    try (var sparse = new RandomAccessFile(log.toFile(), "rw")) {
      sparse.setLength(size);
    }
    Files.writeString(log, "\nlast\n", StandardOpenOption.APPEND);
    var history = new LogHistory(files, log);
    var place = history.last(15);
    assertThat(place.offset()).isBetween(size - 2 * MOST * 6, size);
    assertThat(history.last(1).offset()).isEqualTo(size + 1);
    assertThat(texts(last(15))).last().isEqualTo("last");
  }

  @Test
  void readsWhatWasWrittenSince() throws IOException {
    for (int i = 0; i < 600; i++) {
      write("line %d %s\n".formatted(i, "x".repeat(100)), NOON.plusSeconds(i));
    }
    var since =
        new LogQuery(
            "shop",
            Optional.empty(),
            Optional.empty(),
            -1,
            Optional.of(NOON.plusSeconds(250)),
            false,
            false);
    assertThat(texts(since)).hasSize(350).first().asString().startsWith("line 250 ");
  }

  @Test
  void readsTheRunBeforeTheLast() throws IOException {
    for (int run = 0; run < 3; run++) {
      write(
          LogFiles.frame(NOON, "Starting \"shop/web.0\": \"/bin/x\"")
              + "output %d\n".formatted(run),
          NOON);
    }
    var previous =
        new LogQuery("shop", Optional.empty(), Optional.empty(), -1, Optional.empty(), true, false);
    assertThat(texts(previous)).hasSize(2).last().isEqualTo("output 1");
  }

  @Test
  void aLogWithoutAFileIsEmpty() throws IOException {
    assertThat(texts(ALL)).isEmpty();
    assertThat(texts(last(3))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void followsALogThatIsRotatedMeanwhile(boolean collapsing) throws IOException {
    if (!collapsing) {
      files = files(FileHead.NONE);
    }
    var random = new Random(collapsing ? 1 : 2);
    var reader = LogReader.of(new LogHistory(files, log), "shop/web.0", ALL);
    var read = new ArrayList<String>();
    var written = new ArrayList<String>();
    for (int i = 0; i < 3_000; i++) {
      var line = i + "x".repeat(random.nextInt(400));
      written.add(line);
      write(line + "\n", NOON.plusMillis(i));
      if (random.nextInt(50) == 0) {
        taken(reader).forEach(each -> read.add(each.text()));
      }
    }
    taken(reader).forEach(each -> read.add(each.text()));
    assertThat(read).containsExactlyElementsOf(written);
  }

  @Test
  void saysThatLinesWereRemovedBeforeTheyWereRead() throws IOException {
    write("first\n", NOON);
    var reader = LogReader.of(new LogHistory(files, log), "shop/web.0", ALL);
    assertThat(taken(reader)).hasSize(1);
    for (int i = 0; i < 2_000; i++) {
      write("line %d %s\n".formatted(i, "x".repeat(100)), NOON);
    }
    var lines = taken(reader);
    assertThat(lines.get(0).text()).isEqualTo("----- older lines were removed -----");
    assertThat(lines).last().extracting(LogLine::text).asString().startsWith("line 1999 ");
  }

  @Test
  void mergesLogsByTime() throws IOException {
    var readers = new LinkedHashMap<String, LogReader>();
    for (int i = 0; i < 3; i++) {
      log = root.resolve("shop.web.%d.log".formatted(i));
      for (int k = 0; k < 100; k++) {
        write("%d\n".formatted(k), NOON.plusMillis(10 * k + i));
      }
      var name = "shop/web." + i;
      readers.put(name, LogReader.of(new LogHistory(files, log), name, ALL));
    }
    var merged = new LogMerge(readers.values()).next(1 << 20);
    assertThat(merged).hasSize(300).isSortedAccordingTo((a, b) -> a.time().compareTo(b.time()));
  }

  @Test
  void manyMarksAreThinnedOut() throws IOException {
    var times = LogTimes.of(log, "1", FileAccess.PRIVATE);
    for (int i = 1; i <= 2 * LogTimes.MOST; i++) {
      times.add(new LogTimes.Mark(i, NOON.plusMillis(i)));
    }
    var marks = times.read();
    assertThat(marks).hasSizeBetween(LogTimes.MOST / 2, LogTimes.MOST + 1);
    assertThat(marks)
        .last()
        .isEqualTo(new LogTimes.Mark(2L * LogTimes.MOST, NOON.plusMillis(2L * LogTimes.MOST)));
  }

  @Test
  void refusesALogThatIsALink() throws IOException {
    var target = Files.writeString(root.resolve("precious"), "before");
    Files.createSymbolicLink(log, target);
    assertThatThrownBy(() -> files.append(log, "x\n")).hasMessageContaining("symbolic link");
    files.rotate(Set.of(log), NOON);
    assertThat(target).hasContent("before");
  }

  @Test
  void removesOldCopiesAndUnusedLogs() throws IOException {
    var old = NOON.minus(Duration.ofDays(31));
    for (var name : List.of("a.web.0.log", "a.web.0.log.1", "b.web.0.log", "other.txt")) {
      var file = Files.writeString(root.resolve(name), name, StandardCharsets.UTF_8);
      Files.setLastModifiedTime(file, FileTime.from(old));
    }
    Files.writeString(root.resolve("b.web.0.log.1"), "new");
    int removed =
        files.expire(root, Set.of(root.resolve("a.web.0.log")), NOON.minus(Duration.ofDays(30)));
    assertThat(removed).isEqualTo(2);
    try (var left = Files.list(root)) {
      assertThat(left.map(it -> it.getFileName().toString()).sorted())
          .containsExactly("a.web.0.log", "b.web.0.log.1", "other.txt");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "shop/web.0, web, true",
    "shop/web-1.0, web, true",
    "shop/web-1.0, web-1, true",
    "shop/web-a.0, web, false",
    "shop/webs.0, web, false",
    "other/web.0, web, false"
  })
  void aProcessIsSelectedByItsNameAndByThatOfItsDaemon(String slot, String name, boolean selected) {
    var query =
        new LogQuery("shop", Optional.of(name), Optional.of(0), -1, Optional.empty(), false, false);
    assertThat(query.selects(SlotName.parse(slot))).isEqualTo(selected);
  }
}
