package verwalter.cluster.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the files of an elector. */
class ElectorFilesTest {
  private static final Elector SELF = new Elector(7, "10.0.0.7", 8381);
  private static final Elector OTHER = new Elector(8, "10.0.0.8", 8381);

  @TempDir private Path root;
  private Path directory;
  private Path lost;
  private ElectorFiles files;

  @BeforeEach
  void create() throws IOException {
    directory = root.resolve("zookeeper");
    lost = root.resolve("zookeeper.lost");
    files = new ElectorFiles(directory);
    files.create(SELF, List.of(OTHER), false);
    Files.writeString(directory.resolve("evidence"), "first");
  }

  @Test
  void areNamedByTheirDirectory() {
    assertThat(new ElectorFiles(Path.of("/storage/zookeeper"))).hasToString("/storage/zookeeper");
  }

  @Test
  void aReplacementKeepsTheElectorAndTheOldFiles() throws IOException {
    files.replace();

    assertThat(files.self()).isEqualTo(SELF);
    assertThat(files.isJoining()).isFalse();
    assertThat(lost.resolve("evidence")).hasContent("first");
  }

  @Test
  void aReplacementThatWasInterruptedIsCompleted() throws IOException {
    Files.move(directory, lost);

    files.replace();

    assertThat(files.exist()).isTrue();
    assertThat(files.self()).isEqualTo(SELF);
  }

  @Test
  void aRepeatedReplacementKeepsTheOldFiles() throws IOException {
    files.replace();
    files.replace();

    assertThat(lost.resolve("evidence")).hasContent("first");
  }

  @Test
  void aLaterReplacementReplacesAgain() throws IOException {
    files.replace();
    Files.writeString(directory.resolve("evidence"), "second");
    files.prepareReplacement();

    files.replace();

    assertThat(lost.resolve("evidence")).hasContent("second");
    assertThat(files.self()).isEqualTo(SELF);
  }
}
