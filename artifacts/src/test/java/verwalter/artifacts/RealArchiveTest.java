package verwalter.artifacts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Archives made by the programs of the machine. */
class RealArchiveTest {
  @TempDir(factory = MemoryDirectory.class)
  Path root;

  private Machine machine;
  private Path files;

  @BeforeEach
  void files() throws IOException {
    machine = new Machine(Files.createDirectory(root.resolve("machine")));
    files = Files.createDirectory(root.resolve("files"));
    Files.createDirectories(files.resolve("bin/deep/er"));
    Files.createDirectory(files.resolve("empty"));
    var program = Files.writeString(files.resolve("bin/run me"), "#!/bin/sh\n");
    Files.setAttribute(program, "unix:mode", 0755);
    Files.writeString(files.resolve("bin/deep/er/ünï\ncode"), "x".repeat(70_000));
    Files.writeString(files.resolve("n".repeat(150)), "long name");
    Files.createDirectories(files.resolve("d".repeat(120) + "/" + "e".repeat(120)));
    Files.writeString(files.resolve("d".repeat(120) + "/" + "e".repeat(120) + "/f"), "a long path");
    Files.createSymbolicLink(files.resolve("current"), Path.of("bin/deep"));
    Files.createSymbolicLink(
        files.resolve("far"), Path.of("d".repeat(120) + "/" + "e".repeat(120) + "/f"));
  }

  private void packed(Path archive, String... command) throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin", command[0])), command[0] + " is missing");
    assertThat(
            Machine.run(
                files,
                Stream.of(command).map(it -> it.replace("ARCHIVE", archive.toString())).toList()))
        .as(String.join(" ", command))
        .isZero();
  }

  private UnpackedRelease unpacked(Path archive) throws IOException, ArtifactException {
    return machine.unpack(Files.readAllBytes(archive));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tar --format=gnu -cf ARCHIVE .",
        "tar --format=pax -cf ARCHIVE .",
        "tar --format=posix --sort=name -czf ARCHIVE .",
        "tar --zstd -cf ARCHIVE bin empty current far",
        "zip -qry ARCHIVE .",
        "zip -qry -0 ARCHIVE .",
        "zip -qryD ARCHIVE ."
      })
  void anArchiveHasTheFilesThatWerePacked(String command)
      throws IOException, InterruptedException, ArtifactException {
    var archive = root.resolve("archive with any name");
    if (command.startsWith("zip")) {
      archive = root.resolve("archive.zip");
    }
    if (command.contains(" bin ")) {
      for (var name : List.of("n".repeat(150))) {
        Files.delete(files.resolve(name));
      }
    }
    packed(archive, command.split(" "));
    var release = unpacked(archive);
    var expected = Machine.tree(files);
    if (command.contains("qryD")) {
      expected.remove("empty");
    }
    if (command.contains(" bin ")) {
      expected.keySet().removeIf(it -> it.startsWith("dddd"));
    }
    assertThat(Machine.tree(release.path())).isEqualTo(expected);
    assertThat(Files.getLastModifiedTime(release.path().resolve("bin/run me")).toMillis() / 2000)
        .isEqualTo(Files.getLastModifiedTime(files.resolve("bin/run me")).toMillis() / 2000);
    assertThat(machine.store().verify(release.key(), WorkProgress.NONE, new Cancellation()))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tar -S --format=gnu -cf ARCHIVE .",
        "tar -S --format=posix --sparse-version=0.0 -cf ARCHIVE .",
        "tar -S --format=posix --sparse-version=0.1 -cf ARCHIVE .",
        "tar -S --format=posix --sparse-version=1.0 -cf ARCHIVE ."
      })
  void sparseFilesAreWhole(String command)
      throws IOException, InterruptedException, ArtifactException {
    sparse("few", 3, 1_000_001);
    sparse("many", 90, 400_000);
    sparse("hole", 0, 300_000);
    var archive = root.resolve("archive");
    packed(archive, command.split(" "));
    assertThat(Files.size(archive)).isLessThan(3_000_000);
    assertThat(Machine.tree(unpacked(archive).path())).isEqualTo(Machine.tree(files));
  }

  private void sparse(String name, int regions, long gap) throws IOException {
    try (var file = new RandomAccessFile(files.resolve(name).toFile(), "rw")) {
      for (int i = 0; i < regions; i++) {
        file.seek(i * gap + i % 7);
        file.write(Machine.utf8("region " + i));
      }
      file.setLength((regions + 1) * gap);
    }
  }
}
