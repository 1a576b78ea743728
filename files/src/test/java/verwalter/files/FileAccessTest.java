package verwalter.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FileAccessTest {
  @TempDir Path root;

  private String mode(String path) throws IOException {
    return PosixFilePermissions.toString(
        Files.getPosixFilePermissions(root.resolve(path), LinkOption.NOFOLLOW_LINKS));
  }

  private void mode(String path, String mode) throws IOException {
    Files.setPosixFilePermissions(root.resolve(path), PosixFilePermissions.fromString(mode));
  }

  private static boolean isRoot() throws IOException {
    return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
  }

  @ParameterizedTest
  @CsvSource({
    "0600, rw-------, rwx------",
    "604, rw----r--, rwx---r-x",
    "0640, rw-r-----, rwxr-x---",
    "0644, rw-r--r--, rwxr-xr-x"
  })
  void filesAndDirectoriesHaveTheMode(String mode, String file, String directory)
      throws IOException {
    var access = FileAccess.of(mode, Optional.empty(), root);
    access.makeDirectories(root.resolve("a/b"));
    access.open(root.resolve("a/b/c"), StandardOpenOption.CREATE).close();
    assertThat(mode("a")).isEqualTo(directory);
    assertThat(mode("a/b")).isEqualTo(directory);
    assertThat(mode("a/b/c")).isEqualTo(file);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0666", "0700", "0400", "0602", "x", "", "00600"})
  void refusesModesThatLetOthersWrite(String mode) {
    assertThatThrownBy(() -> FileAccess.of(mode, Optional.empty(), root))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0600, 0604, 0640 and 0644");
  }

  @Test
  void filesHaveTheGroup() throws IOException {
    assumeTrue(isRoot(), "needs root");
    var access = FileAccess.of("0640", Optional.of("daemon"), root);
    access.makeDirectory(root.resolve("a"));
    access.open(root.resolve("a/b"), StandardOpenOption.CREATE_NEW).close();
    assertThat(Files.getAttribute(root.resolve("a"), "posix:group")).hasToString("daemon");
    assertThat(Files.getAttribute(root.resolve("a/b"), "posix:group")).hasToString("daemon");
  }

  @Test
  void refusesAGroupThatDoesNotExist() {
    assertThatThrownBy(() -> FileAccess.of("0640", Optional.of("no-such-group"), root))
        .isInstanceOf(IOException.class)
        .hasMessage("there is no group \"no-such-group\"");
  }

  @Test
  void opensLikeTheJdk() throws IOException {
    var file = root.resolve("file");
    assertThatThrownBy(() -> FileAccess.PRIVATE.open(file)).isInstanceOf(NoSuchFileException.class);
    try (var channel = FileAccess.PRIVATE.open(file, StandardOpenOption.CREATE_NEW)) {
      channel.write(ByteBuffer.wrap(new byte[] {'a'}));
    }
    assertThatThrownBy(() -> FileAccess.PRIVATE.open(file, StandardOpenOption.CREATE_NEW))
        .isInstanceOf(FileAlreadyExistsException.class);
    try (var channel =
        FileAccess.PRIVATE.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      channel.write(ByteBuffer.wrap(new byte[] {'b'}));
    }
    assertThat(file).hasContent("ab");
    FileAccess.PRIVATE.open(file, StandardOpenOption.TRUNCATE_EXISTING).close();
    assertThat(file).isEmptyFile();
  }

  @Test
  void openingKeepsTheAccessOfAnExistingFile() throws IOException {
    Files.createFile(root.resolve("file"));
    mode("file", "rw-rw-r--");
    FileAccess.PRIVATE.open(root.resolve("file"), StandardOpenOption.CREATE).close();
    assertThat(mode("file")).isEqualTo("rw-rw-r--");
  }

  @Test
  void makesOneDirectoryOnlyInAnExistingOne() {
    assertThatThrownBy(() -> FileAccess.PRIVATE.makeDirectory(root.resolve("a/b")))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void restrictsATreeUnlessItHasTheAccess() throws IOException {
    Files.createDirectories(root.resolve("tree/inner"));
    Files.createFile(root.resolve("tree/inner/file"));
    Files.createFile(root.resolve("outside"));
    Files.createSymbolicLink(root.resolve("tree/link"), root.resolve("outside"));
    mode("tree", "rwxrwxrwx");
    mode("tree/inner", "rwxr-xr-x");
    mode("tree/inner/file", "rw-rw-rw-");
    mode("outside", "rw-r--r--");

    FileAccess.PRIVATE.restrictTree(root.resolve("tree"));

    assertThat(mode("tree")).isEqualTo("rwx------");
    assertThat(mode("tree/inner")).isEqualTo("rwx------");
    assertThat(mode("tree/inner/file")).isEqualTo("rw-------");
    assertThat(mode("outside")).isEqualTo("rw-r--r--");

    mode("tree/inner/file", "rw-r--r--");
    FileAccess.PRIVATE.restrictTree(root.resolve("tree"));
    assertThat(mode("tree/inner/file")).as("not visited again").isEqualTo("rw-r--r--");
    FileAccess.PRIVATE.restrictTree(root.resolve("absent"));
  }

  @Test
  void restrictsFilesByName() throws IOException {
    Files.createFile(root.resolve("a.log"));
    Files.createFile(root.resolve("b.txt"));
    mode("a.log", "rw-r--r--");
    mode("b.txt", "rw-r--r--");
    FileAccess.PRIVATE.restrictFiles(root, Pattern.compile(".*\\.log"));
    assertThat(mode("a.log")).isEqualTo("rw-------");
    assertThat(mode("b.txt")).isEqualTo("rw-r--r--");
    FileAccess.PRIVATE.restrictFiles(root.resolve("absent"), Pattern.compile(".*"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"rwxrwx---", "rwx----w-"})
  void refusesADirectoryThatOthersMayWrite(String mode) throws IOException {
    Files.createDirectories(root.resolve("run"));
    mode("run", "rwxr-xr-x");
    FileAccess.requireOwn(root.resolve("run"));
    mode("run", mode);
    assertThatThrownBy(() -> FileAccess.requireOwn(root.resolve("run")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("other users may write into " + root.toRealPath().resolve("run"))
        .hasMessageContaining("chmod go-w");
  }

  @Test
  void refusesADirectoryThatOthersMayReplace() throws IOException {
    Files.createDirectories(root.resolve("state/run"));
    mode("state/run", "rwx------");
    mode("state", "rwxrwxrwx");
    assertThatThrownBy(() -> FileAccess.requireOwn(root.resolve("state/run")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("other users may write into " + root.toRealPath().resolve("state"));
    Files.setAttribute(root.resolve("state"), "unix:mode", 01777);
    FileAccess.requireOwn(root.resolve("state/run"));
  }

  @Test
  void refusesDirectoryBelowOneOfAnotherUser() throws IOException {
    assumeTrue(isRoot(), "needs root");
    var names = root.getFileSystem().getUserPrincipalLookupService();
    Files.createDirectories(root.resolve("home/run"));
    mode("home/run", "rwx------");
    Files.setOwner(root.resolve("home"), names.lookupPrincipalByName("daemon"));
    for (int sticky : new int[] {0755, 01777}) {
      Files.setAttribute(root.resolve("home"), "unix:mode", sticky);
      assertThatThrownBy(() -> FileAccess.requireOwn(root.resolve("home/run")))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(root.toRealPath().resolve("home") + " belongs to user daemon")
          .hasMessageContaining("below directories of root");
    }
  }

  @Test
  void refusesDirectoryThatGroupMayReplace() throws IOException {
    assumeTrue(isRoot(), "needs root");
    var names = root.getFileSystem().getUserPrincipalLookupService();
    Files.createDirectories(root.resolve("state/run"));
    mode("state/run", "rwx------");
    mode("state", "rwxrwxr-x");
    var state = Files.getFileAttributeView(root.resolve("state"), PosixFileAttributeView.class);
    FileAccess.requireOwn(root.resolve("state/run"));
    state.setGroup(names.lookupPrincipalByGroupName("daemon"));
    assertThatThrownBy(() -> FileAccess.requireOwn(root.resolve("state/run")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("other users may write into " + root.toRealPath().resolve("state"));
    Files.setAttribute(root.resolve("state"), "unix:mode", 01775);
    FileAccess.requireOwn(root.resolve("state/run"));
  }

  @Test
  void refusesADirectoryOfAnotherUser() throws IOException {
    assumeTrue(isRoot(), "needs root");
    var names = root.getFileSystem().getUserPrincipalLookupService();
    Files.createDirectory(root.resolve("run"));
    Files.setOwner(root.resolve("run"), names.lookupPrincipalByName("daemon"));
    assertThatThrownBy(() -> FileAccess.requireOwn(root.resolve("run")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("belongs to user daemon");
  }
}
