package verwalter.supervisor.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import verwalter.files.FileAccess;

/** Agents that are killed before each step of a rotation, while a program writes. */
class LogRotationTest {
  private static final int MOST = 20_000;
  private static final int KEPT = 4;

  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

  @TempDir Path root;

  /** What the file system of a log does when its beginning is to be removed. */
  private enum Disk {
    REMOVES(LogFilesTest.collapse()),
    CANNOT_REMOVE(FileHead.NONE),
    FAILS_ONCE_BEFORE_THE_EFFECT(
        (file, bytes) -> {
          throw new IOException("takes too long");
        }),
    FAILS_ONCE_AFTER_THE_EFFECT(
        (file, bytes) -> {
          LogFilesTest.collapse().remove(file, bytes);
          throw new IOException("takes too long");
        });

    @SuppressWarnings("ImmutableEnumChecker") // A FileHead of a test has no state.
    private final FileHead first;

    Disk(FileHead first) {
      this.first = first;
    }

    /** What it does next time. */
    FileHead next() {
      return this == CANNOT_REMOVE ? first : LogFilesTest.collapse();
    }
  }

  /** The agent was killed; none of its code runs any longer. */
  private static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** A log, its old files and its program, which writes a line before each step. */
  private final class Scene {
    private final Path log;
    private final List<String> written = new ArrayList<>();

    Scene(String name, int old) throws IOException {
      log = Files.createDirectory(root.resolve(name)).resolve("a.log");
      for (int i = old; i > 0; i--) {
        Files.writeString(old(i), "old " + i + "\n");
        if (i < KEPT) {
          written.add("old " + i);
        }
      }
      var lines = new StringBuilder();
      for (int i = 0; i < 2_500; i++) {
        written.add("line " + i);
        lines.append("line ").append(i).append('\n');
      }
      Files.writeString(log, lines);
    }

    private Path old(int number) {
      return log.resolveSibling("a.log." + number);
    }

    /** One look of an agent, which is killed before a step. */
    boolean isKilled(FileHead head, int step) {
      var steps = new int[] {0};
      var before = new String[] {""};
      LogRotation.Steps killer =
          name -> {
            if (steps[0]++ >= step) {
              throw new Killed();
            }
            // Nothing can save what is written between the last copy and the truncation.
            if (!name.equals("truncate") && !before[0].equals("copy of the latest")) {
              write();
            }
            before[0] = name;
          };
      var limits = new LogRotation.Limits(FileAccess.PRIVATE, head, MOST, KEPT, killer);
      try {
        new LogFiles(limits).rotate(Set.of(log), NOW);
        return false;
      } catch (Killed killed) {
        return true;
      }
    }

    void write() {
      try {
        var line = "late " + written.size();
        Files.writeString(log, line + "\n", StandardOpenOption.APPEND);
        written.add(line);
      } catch (IOException unexpected) {
        throw new UncheckedIOException(unexpected);
      }
    }

    /** All lines of the log and its old files. */
    List<String> lines() throws IOException {
      var all = new ArrayList<String>();
      for (int i = KEPT; i >= 0; i--) {
        var file = i == 0 ? log : old(i);
        if (Files.exists(file)) {
          Files.readAllLines(file).stream().filter(it -> !it.isBlank()).forEach(all::add);
        }
      }
      return all;
    }

    Optional<Path> leftover() {
      return Optional.of(log.resolveSibling("a.log.rotating")).filter(Files::exists);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aKillAtAnyStepLosesNoLineAndKeepsNoneTwice(Disk disk) throws IOException {
    boolean killed = true;
    int first = 0;
    for (; killed; first++) {
      boolean again = true;
      for (int second = 0; again; second++) {
        // Full, with one free place, and with many.
        for (int old : List.of(KEPT, KEPT - 1, 0)) {
          var scene = new Scene(first + "-" + second + "-" + old, old);
          killed = scene.isKilled(disk.first, first);
          scene.write();
          again = scene.isKilled(disk.next(), second) && second < 20;
          scene.write();
          assertThat(scene.isKilled(disk.next(), Integer.MAX_VALUE)).isFalse();
          assertThat(scene.lines())
              .describedAs("killed at %d and %d with %d old files", first, second, old)
              .isEqualTo(scene.written);
          assertThat(Files.size(scene.log)).isLessThan(MOST);
          assertThat(scene.leftover()).isEmpty();
        }
      }
    }
    assertThat(first).isGreaterThan(5);
  }
}
