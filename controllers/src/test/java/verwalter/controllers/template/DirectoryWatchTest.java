package verwalter.controllers.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("NullAway.Init") // JUnit fills the fields
class DirectoryWatchTest {
  @TempDir Path temp;
  private final BlockingQueue<String> reported = new LinkedBlockingQueue<>();
  private FileWatch.Watching watch;
  private Thread thread;

  @BeforeEach
  void start() {
    watch =
        DirectoryWatch.of(
                FileSystems.getDefault(),
                task -> {
                  thread = new Thread(task);
                  return thread;
                })
            .start(Runnable::run, reported::add);
  }

  private FileWatch.Watching start(int most) {
    return DirectoryWatch.start(
        FileSystems.getDefault(), Thread::new, Runnable::run, reported::add, most);
  }

  @AfterEach
  void close() {
    watch.close();
    watch.close();
  }

  private Path file(String name) throws IOException {
    var file = temp.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, "a");
  }

  private String next() throws InterruptedException {
    return String.valueOf(reported.poll(20, TimeUnit.SECONDS));
  }

  @Test
  void everyKindOfChangeIsReported() throws Exception {
    var file = file("a/conf");
    assertThat(watch.watch("web", List.of(file.toString()))).isTrue();
    assertThat(watch.watch("web", List.of(file.toString()))).isFalse();

    Files.writeString(file, "b");
    assertThat(next()).isEqualTo("web");
    reported.clear();
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertThat(next()).isEqualTo("web");
    Files.move(file("b/other"), file, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
    assertThat(next()).isEqualTo("web");
    reported.clear();
    Files.delete(file);
    assertThat(next()).isEqualTo("web");
  }

  @Test
  void onlyTheOwnersOfAFileAreReported() throws Exception {
    var one = file("a/one");
    var two = file("a/two");
    watch.watch("web", List.of(one.toString()));
    watch.watch("db", List.of(two.toString()));
    Files.writeString(temp.resolve("a/.tmp.verwalter.0"), "x");
    Files.writeString(two, "b");
    assertThat(next()).isEqualTo("db");
    assertThat(reported).doesNotContain("web");

    watch.watch("db", List.of());
    reported.clear();
    Files.writeString(two, "c");
    Files.writeString(one, "c");
    assertThat(next()).isEqualTo("web");
    assertThat(reported).doesNotContain("db");
  }

  @Test
  void twoPathsOfDirectoryAreWatched() throws Exception {
    var file = Files.createDirectory(temp.resolve("a")).resolve("conf");
    var link = Files.createSymbolicLink(temp.resolve("link"), temp.resolve("a"));
    var same = link.resolve("conf");
    assertThat(watch.watch("web", List.of(file.toString()))).isTrue();
    assertThat(watch.watch("db", List.of(same.toString()))).isTrue();
    Files.createFile(file); // one event
    assertThat(List.of(next(), next())).containsExactlyInAnyOrder("web", "db");

    watch.watch("db", List.of(same.toString(), file.toString()));
    watch.watch("db", List.of(same.toString()));
    watch.watch("web", List.of());
    Files.delete(file);
    assertThat(next()).isEqualTo("db");
  }

  @Test
  void aRemovedDirectoryIsReportedAndWatchedAgain() throws Exception {
    var file = file("a/conf");
    watch.watch("web", List.of(file.toString()));
    Files.delete(file);
    Files.delete(file.getParent());
    assertThat(next()).isEqualTo("web");
    file("a/conf");
    while (!watch.watch("web", List.of(file.toString()))) {
      assertThat(next()).isEqualTo("web"); // until the removal of the directory is reported too
    }
    reported.clear();
    Files.writeString(file, "again");
    assertThat(next()).isEqualTo("web");
  }

  @Test
  void directoriesBeyondTheLimitAreNotWatched() throws Exception {
    watch.close();
    watch = start(1);
    var one = file("a/one");
    var two = file("b/two");
    assertThat(watch.watch("web", List.of(one.toString()))).isTrue();
    assertThat(watch.watch("db", List.of(two.toString()))).isFalse();
    watch.watch("web", List.of());
    assertThat(watch.watch("db", List.of(two.toString()))).isTrue();
  }

  @Test
  void aRemovedDirectoryIsReportedForFilesThatNeverExisted() throws Exception {
    var directory = file("a/other").getParent();
    Files.delete(directory.resolve("other"));
    assertThat(watch.watch("web", List.of(directory.resolve("conf").toString()))).isTrue();
    Files.delete(directory);
    assertThat(next()).isEqualTo("web");
  }

  @Test
  void ownersOfAllFilesAreReportedAfterEventsWereLost() throws Exception {
    var directory = file("a/conf").getParent();
    watch.watch("web", List.of(directory.resolve("conf").toString()));
    watch.watch("db", List.of(directory.resolve("other").toString()));
    var taking = watch;
    for (int burst = 0; burst < 100 && reported.size() < 2; burst++) {
      synchronized (taking) { // no events are taken meanwhile
        for (int i = 0; i < 1_000; i++) {
          Files.createFile(directory.resolve(burst + "." + i));
        }
      }
    }
    assertThat(List.of(next(), next())).containsExactlyInAnyOrder("web", "db");
  }

  @Test
  void filesThatCannotBeWatchedAreLeftOut() throws Exception {
    var later = temp.resolve("a/conf");
    assertThat(watch.watch("web", List.of("/", later.toString()))).isFalse();
    file("a/conf");
    assertThat(watch.watch("web", List.of("/", later.toString()))).isTrue();
    Files.writeString(later, "b");
    assertThat(next()).isEqualTo("web");
  }

  @Test
  void aClosedWatchEndsItsThreadAndWatchesNothing() throws Exception {
    var file = file("a/conf").toString();
    watch.close();
    thread.join(20_000);
    assertThat(thread.isAlive()).isFalse();
    assertThat(watch.watch("web", List.of(file))).isFalse();
    assertThat(FileWatch.NONE.start(Runnable::run, reported::add).watch("web", List.of(file)))
        .isFalse();
  }
}
