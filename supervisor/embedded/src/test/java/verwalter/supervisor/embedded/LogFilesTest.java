package verwalter.supervisor.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.files.FileAccess;

class LogFilesTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

  @TempDir Path root;

  /** The head of a file, if the file system of the test can remove it. */
  private FileHead removable() throws IOException {
    var head = FileHead.of(ProcessShim.program("fallocate"));
    var file = Files.write(root.resolve("probe"), new byte[20_000]);
    try {
      assumeTrue(head.remove(file, 8192), "needs fallocate, and ext4 or XFS");
    } catch (InterruptedException stop) {
      throw new IOException(stop);
    }
    return head;
  }

  private LogFiles files(FileHead head) {
    return new LogFiles(FileAccess.PRIVATE, head, 50_000, 9);
  }

  private Path log() {
    return root.resolve("a.log");
  }

  private void write(String text) throws IOException {
    Files.writeString(log(), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private List<String> lines() throws IOException {
    var lines = new ArrayList<String>();
    for (int i = 9; i >= 0; i--) {
      var file = i == 0 ? log() : root.resolve("a.log." + i);
      if (Files.exists(file)) {
        Files.readAllLines(file).stream().filter(it -> !it.isBlank()).forEach(lines::add);
      }
    }
    return lines;
  }

  /** Writes lines that differ, and returns them. */
  private List<String> numbered(int count) throws IOException {
    var lines = IntStream.range(0, count).mapToObj(i -> "line " + i).toList();
    write(String.join("\n", lines) + "\n");
    return new ArrayList<>(lines);
  }

  /** Removes the head of a file as a file system does, if no program writes meanwhile. */
  static FileHead collapse() {
    return (file, bytes) -> {
      var all = Files.readAllBytes(file);
      Files.write(file, Arrays.copyOfRange(all, (int) bytes, all.length));
      return true;
    };
  }

  /** Writes lines while the head of the file is removed, as a program would. */
  private FileHead during(FileHead head, String line) {
    return (file, bytes) -> {
      write(line);
      boolean removed = head.remove(file, bytes);
      write(line.toUpperCase(Locale.ROOT));
      return removed;
    };
  }

  @Test
  void noLineIsLostOrSplitAtARotation() throws IOException {
    var fallocate = removable();
    var all = new ArrayList<String>();
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 5_000; i++) {
        all.add("round " + round + " line " + i);
      }
      write(String.join("\n", all.subList(round * 5_002, all.size())) + "\n");
      files(during(fallocate, "late\n")).rotate(Set.of(log()), NOW);
      all.addAll(List.of("late", "LATE"));
    }
    assertThat(lines()).isEqualTo(all);
    assertThat(Files.size(log())).isLessThan(9_000);
    assertThat(Files.readString(log())).doesNotContain("\0");
    assertThat(root.resolve("a.log.4")).doesNotExist();
  }

  @Test
  void anUnfinishedLineStays() throws IOException {
    write("x".repeat(60_000) + "\nhalf a");
    files(removable()).rotate(Set.of(log()), NOW);
    write(" line\n");
    assertThat(lines()).containsExactly("x".repeat(60_000), "half a line");
  }

  @Test
  void aLineWithoutEndIsSplit() throws IOException {
    write("x".repeat(90_000));
    files(removable()).rotate(Set.of(log()), NOW);
    assertThat(Files.size(root.resolve("a.log.1"))).isEqualTo(89_999);
    assertThat(Files.size(log())).isLessThan(9_000);
  }

  @Test
  void outputThatComesTooFastIsDropped() throws IOException {
    for (int i = 0; i < 20_000; i++) {
      write("line " + i + "\n");
    }
    long size = Files.size(log());
    assertThat(size).isGreaterThan(100_000);
    files(removable()).rotate(Set.of(log()), NOW);
    var lines = lines();
    long dropped = size - Files.size(root.resolve("a.log.1")) + lines.get(0).length() + 1;
    assertThat(lines.get(0))
        .isEqualTo("----- %d bytes of output were dropped: they came too fast -----", dropped);
    assertThat(Files.size(root.resolve("a.log.1"))).isBetween(49_000L, 50_100L);
    int first = Integer.parseInt(lines.get(1).substring(5));
    assertThat(lines.subList(1, lines.size()))
        .isEqualTo(IntStream.range(first, 20_000).mapToObj(i -> "line " + i).toList());
  }

  @Test
  void aFileWhoseHeadCannotBeRemovedIsTruncated() throws IOException {
    write("line\n".repeat(19_000) + "half");
    files(during(FileHead.NONE, "late\n")).rotate(Set.of(log()), NOW);
    assertThat(Files.size(log())).isZero();
    assertThat(Files.readString(root.resolve("a.log.1"), StandardCharsets.UTF_8))
        .isEqualTo("line\n".repeat(19_000) + "halflate\nLATE\n");
  }

  @Test
  void copyOfFileThatWasTruncatedEnds() throws IOException {
    write("line\n");
    var to = root.resolve("copy");
    try (var from = FileChannel.open(log());
        var copy = FileChannel.open(to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      assertThat(LogRotation.copy(from, 0, 60_000, copy)).isEqualTo(5);
    }
    assertThat(to).hasContent("line");
  }

  @Test
  void outputAfterAnotherProgramTruncatedTheFileStays() throws IOException {
    write("line\n".repeat(11_000));
    FileHead head =
        (file, bytes) -> {
          Files.writeString(file, "new\n", StandardOpenOption.TRUNCATE_EXISTING);
          throw new IOException("no such range");
        };
    files(head).rotate(Set.of(log()), NOW);
    assertThat(log()).hasContent("new\n");
  }

  @Test
  void failedRemovalTruncatesTheFileOnce() throws IOException {
    write("old\n");
    Files.move(log(), root.resolve("a.log.1"));
    write("line\n".repeat(19_000));
    FileHead failing =
        (file, bytes) -> {
          write("late\n");
          throw new IOException("takes too long");
        };
    var files = files(failing);
    for (int i = 0; i < 10; i++) {
      files.rotate(Set.of(log()), NOW);
    }
    assertThat(root.resolve("a.log.1")).hasContent("line\n".repeat(19_000));
    assertThat(Files.readString(log())).endsWith("\n" + "late\n".repeat(10));

    write("more\n".repeat(10_000));
    files.rotate(Set.of(log()), NOW);
    assertThat(Files.size(log())).isZero();
    assertThat(root.resolve("a.log.1"))
        .hasContent(
            "line\n".repeat(19_000) + "late\n".repeat(10) + "more\n".repeat(10_000) + "late\n");
    assertThat(root.resolve("a.log.2")).hasContent("old\n");
    assertThat(root.resolve("a.log.3")).doesNotExist();
  }

  @Test
  void removalThatFailedAfterItsEffectLosesNoLine() throws IOException {
    var fallocate = removable();
    FileHead failing =
        (file, bytes) -> {
          assertThat(fallocate.remove(file, bytes)).isTrue();
          throw new IOException("takes too long");
        };
    write("x".repeat(60_000) + "\nhalf a");
    files(failing).rotate(Set.of(log()), NOW);
    write(" line\n");
    assertThat(lines()).containsExactly("x".repeat(60_000), "half a line");
  }

  @Test
  void outputDuringARemovalThatFailedAfterItsEffectStays() throws IOException {
    var all = numbered(10_000);
    FileHead failing =
        (file, bytes) -> {
          assertThat(collapse().remove(file, bytes)).isTrue();
          write("late\n".repeat(30_000));
          throw new IOException("takes too long");
        };
    files(failing).rotate(Set.of(log()), NOW);
    all.addAll(Collections.nCopies(30_000, "late"));
    assertThat(lines()).isEqualTo(all);
  }

  @Test
  void interruptedRemovalIsDoneByTheNextAgent() throws IOException {
    var all = numbered(10_000);
    FileHead interrupted =
        (file, bytes) -> {
          throw new InterruptedException();
        };
    files(interrupted).rotate(Set.of(log()), NOW);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(Files.size(log())).isGreaterThan(50_000);
    write("late\n");
    all.add("late");
    files(collapse()).rotate(Set.of(log()), NOW);
    assertThat(lines()).isEqualTo(all);
    assertThat(Files.size(log())).isLessThan(9_000);
    assertThat(root.resolve("a.log.2")).doesNotExist();
  }

  @Test
  void aMissingCopyIsFilledBeforeTheOldestIsRemoved() throws IOException {
    for (int i = 2; i <= 9; i++) {
      Files.writeString(root.resolve("a.log." + i), "old " + i + "\n");
    }
    var all = new ArrayList<>(lines());
    all.addAll(numbered(10_000));
    files(FileHead.NONE).rotate(Set.of(log()), NOW);
    assertThat(lines()).isEqualTo(all);
  }

  @Test
  void failedRotationLeavesNoTemporaryFile() throws IOException {
    Files.createDirectories(root.resolve("a.log.9/full"));
    for (int i = 1; i < 9; i++) {
      Files.createFile(root.resolve("a.log." + i));
    }
    write("line\n".repeat(19_000));
    files(FileHead.NONE).rotate(Set.of(log()), NOW);
    assertThat(Files.size(log())).isEqualTo(95_000);
    assertThat(root.resolve("a.log.rotating")).doesNotExist();
  }

  @Test
  void interruptedRemovalEndsItsProcess() throws IOException {
    var slow = Files.writeString(root.resolve("slow"), "#!/bin/sh\nexec sleep 1000\n");
    assertThat(slow.toFile().setExecutable(true)).isTrue();
    var before = ProcessHandle.current().children().toList();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> FileHead.of(Optional.of(slow)).remove(log(), 4096))
        .isInstanceOf(InterruptedException.class);
    assertThat(ProcessHandle.current().children()).isSubsetOf(before);
  }

  @Test
  void onlyLargeFilesAreRotatedAndFewAreKept() throws IOException {
    var files = files(FileHead.NONE);
    write("small\n");
    assertThat(files.rotate(Set.of(log(), root.resolve("absent")), NOW)).containsOnlyKeys(log());
    assertThat(root.resolve("a.log.1")).doesNotExist();
    for (int i = 0; i < 12; i++) {
      write("x".repeat(60_000) + i + "\n");
      files.rotate(Set.of(log()), NOW);
    }
    assertThat(
            IntStream.range(0, 12).mapToObj(i -> root.resolve("a.log." + i)).filter(Files::exists))
        .hasSize(9);
    assertThat(Files.readString(root.resolve("a.log.1"))).endsWith("x11\n");
  }
}
