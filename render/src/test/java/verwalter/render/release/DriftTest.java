package verwalter.render.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.model.TemplateOutput;
import verwalter.render.MemoryDirectory;
import verwalter.render.Text;
import verwalter.render.disk.FileState;
import verwalter.render.recipe.LogDirectories;
import verwalter.render.recipe.Rendered;

@SuppressWarnings("NullAway.Init") // JUnit and the set-up initialize the fields
class DriftTest {
  @TempDir(factory = MemoryDirectory.class)
  Path temp;

  private Path file;

  @BeforeEach
  void place() throws IOException {
    Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxr-xr-x"));
    file = temp.toRealPath().resolve("conf");
  }

  private void write(String text, String mode) throws IOException {
    Files.deleteIfExists(file);
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  /** A release with the current content of the disk. */
  private List<TemplateOutput.Changed> after(Change change) throws IOException {
    var now = (FileState.Regular) FileState.of(file);
    var files = new TreeMap<String, FileState.Regular>();
    files.put(file.toString(), now);
    var release =
        new Release(
            new TemplateOutput.Release("d", Instant.EPOCH, ""),
            new Rendered("r", "/", false, LogDirectories.NONE, List.of()),
            files);
    change.make();
    return Drift.of(List.of(now.described(file)), Optional.of(release));
  }

  private interface Change {
    void make() throws IOException;
  }

  @Test
  void reportsChangedLineAsPatch() throws IOException {
    write("a\nb\nc\nd\ne\nf\ng\nh\n", "rw-r--r--");
    var changed = after(() -> Files.writeString(file, "a\nb\nc\nd\nE\nf\ng\nh\n"));
    assertThat(changed).hasSize(1);
    assertThat(changed.get(0).what()).isEqualTo("has other content");
    assertThat(changed.get(0).patch())
        .hasValue(
            "--- "
                + file
                + " as written\n+++ "
                + file
                + " as found\n@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n");
  }

  @Test
  void hidesFileThatIsNotWorldReadable() throws IOException {
    write("secret\n", "rw-r-----");
    var changed = after(() -> Files.writeString(file, "another\n"));
    assertThat(changed.get(0).sha256()).hasValue(Text.sha256(Text.bytes("another\n")));
    assertThat(changed.get(0).patch()).isEmpty();
  }

  @Test
  void hidesFileThatWasMadeWorldReadable() throws IOException {
    write("secret\n", "rw-------");
    var changed = after(() -> write("another\n", "rw-r--r--"));
    assertThat(changed.get(0).what())
        .isEqualTo("has other content and has mode 0644 instead of 0600");
    assertThat(changed.get(0).patch()).isEmpty();
  }

  @Test
  void hidesFileInPrivateDirectory() throws IOException {
    write("secret\n", "rw-r--r--");
    Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwx------"));
    assertThat(after(() -> Files.writeString(file, "another\n")).get(0).patch()).isEmpty();
  }

  @Test
  void describesOtherChanges() throws IOException {
    write("a\n", "rw-r--r--");
    assertThat(after(() -> {})).isEmpty();
    assertThat(after(() -> write("a\n", "rw-------")).get(0).what())
        .isEqualTo("has mode 0600 instead of 0644");
    write("a\n", "rw-r--r--");
    assertThat(after(() -> Files.delete(file)).get(0).what()).isEqualTo("is gone");
    write("a\n", "rw-r--r--");
    assertThat(
            after(
                    () -> {
                      Files.delete(file);
                      Files.createSymbolicLink(file, Path.of("/etc/passwd"));
                    })
                .get(0)
                .what())
        .isEqualTo("is a link to /etc/passwd");
  }

  @Test
  void reportsOtherOwner() throws IOException {
    assumeTrue(Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0), "needs root");
    write("a\n", "rw-r--r--");
    var changed = after(() -> Files.setAttribute(file, "unix:uid", 1000)).get(0);
    assertThat(changed.what()).isEqualTo("belongs to 1000:0 instead of 0:0");
    assertThat(changed.owner()).hasValue("1000:0");
    write("a\n", "rw-r--r--");
    changed =
        after(
                () -> {
                  write("b\n", "rw-------");
                  Files.setAttribute(file, "unix:gid", 1001);
                })
            .get(0);
    assertThat(changed.what())
        .isEqualTo(
            "has other content and has mode 0600 instead of 0644"
                + " and belongs to 0:1001 instead of 0:0");
  }

  @Test
  void ignoresOwnerThatWasNotRecorded() throws IOException {
    assumeTrue(Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0), "needs root");
    write("a\n", "rw-r--r--");
    var now = ((FileState.Regular) FileState.of(file)).described(file);
    var old = new TemplateOutput.File(now.path(), now.sha256(), now.mode(), now.size());
    Files.setAttribute(file, "unix:uid", 1000);
    assertThat(Drift.of(List.of(old), Optional.empty())).isEmpty();
    assertThat(Drift.of(List.of(now), Optional.empty())).hasSize(1);
  }

  @Test
  void truncatesPatch() {
    var patch = Patch.of("x", "", "line\n".repeat(100_000));
    assertThat(patch.lines().count()).isLessThan(210);
    assertThat(patch).endsWith("... the rest of the difference is cut here\n");
  }

  @Test
  void patchShowsMissingLineEnd() {
    assertThat(Patch.of("x", "a\n", "a")).contains("-a\n+a (no end of line)\n");
    assertThat(Patch.of("x", "a\n", "a\n")).isEmpty();
  }
}
