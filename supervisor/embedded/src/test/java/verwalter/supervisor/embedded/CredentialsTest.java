package verwalter.supervisor.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.model.ProcessSpec;
import verwalter.supervisor.program.Program;
import verwalter.supervisor.program.ProgramSecrets;
import verwalter.supervisor.program.Terms;

/** Tests the directories with the secrets of runs. */
class CredentialsTest {
  @TempDir private Path directory;
  private Path source;
  private Credentials credentials;
  private long own;

  @BeforeEach
  void aSecret() throws IOException {
    own = ((Number) Files.getAttribute(Path.of("/proc/self"), "unix:uid")).longValue();
    source = write("db", "correct horse", "rw-------");
    credentials = new Credentials(directory.resolve("run/secrets"), own);
  }

  private Path write(String name, String text, String mode) throws IOException {
    var file = directory.resolve(name);
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    return file;
  }

  private Program program(Map<String, Path> sources) {
    long user = own == 0 ? 65534 : own;
    return new Program(
        "shop/web.0",
        "x",
        Path.of("/bin/true"),
        List.of(),
        Path.of("/"),
        new TreeMap<>(Map.of("A", "1")),
        new TreeSet<>(),
        Path.of("/log"),
        1024,
        new Terms(1, 5, List.of(), false),
        List.of(),
        ProcessSpec.Limits.NONE,
        Optional.empty(),
        new ProgramSecrets(sources, user, user));
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void onlyTheUserOfTheProgramMayReadTheCopies() throws IOException {
    var prepared = credentials.prepared("r1", program(Map.of("db.key", source)));
    var copies = Path.of(prepared.environ().get("CREDENTIALS_DIRECTORY"));
    assertThat(copies.resolve("db.key")).hasContent("correct horse");
    assertThat(mode(copies)).isEqualTo("rwx------");
    assertThat(mode(copies.resolve("db.key"))).isEqualTo("r--------");
    assertThat(mode(copies.getParent())).isEqualTo("rwx--x--x");
    long user = own == 0 ? 65534 : own;
    for (var path : List.of(copies, copies.resolve("db.key"))) {
      assertThat(((Number) Files.getAttribute(path, "unix:uid")).longValue()).isEqualTo(user);
    }
    credentials.remove("r1");
    assertThat(copies).doesNotExist();
    credentials.remove("r1");
  }

  @Test
  void aProgramWithoutSecretsHasNoDirectory() throws IOException {
    var program = program(Map.of());
    assertThat(credentials.prepared("r1", program)).isSameAs(program);
    assertThat(directory.resolve("run")).doesNotExist();
  }

  private void refuses(Path path, String message) {
    assertThatThrownBy(() -> credentials.prepared("r1", program(Map.of("a", source, "db", path))))
        .isInstanceOf(IOException.class)
        .hasMessage("secret db: " + path + " " + message.replace("FILE", path.toString()))
        .hasMessageNotContaining("horse");
    assertThat(directory.resolve("run/secrets/r1")).doesNotExist();
  }

  @Test
  void aFileThatIsNoSecretIsRefusedWithItsReason() throws IOException {
    refuses(directory.resolve("none"), "does not exist");
    refuses(directory, "is not a regular file");
    refuses(
        write("open", "horse", "rw-r--r--"),
        "may be used by other users, since its mode is 0644; run: chmod 600 FILE");
    refuses(write("large", "x".repeat((1 << 20) + 1), "rw-------"), "has more than 1048576 bytes");
    if (own == 0) {
      var foreign = write("foreign", "horse", "rw-------");
      Files.setAttribute(foreign, "unix:uid", 7);
      refuses(foreign, "belongs to user 7, not to the agent's");
    }
  }

  @Test
  void aLinkOfTheAgentIsFollowed() throws IOException {
    var links = Files.createDirectory(directory.resolve("live"));
    var link = Files.createSymbolicLink(links.resolve("key"), Path.of("../db"));
    var copies = credentials.prepared("r1", program(Map.of("key", link)));
    assertThat(Path.of(copies.environ().get(Credentials.VARIABLE)).resolve("key"))
        .hasContent("correct horse");
  }

  /** The owner of a directory could name any file of root. */
  @Test
  void aFileThatAnotherUserCanReplaceIsRefused() throws IOException {
    var open = Files.createDirectory(directory.resolve("open"));
    Files.createSymbolicLink(open.resolve("key"), source);
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    refuses(
        open.resolve("key"),
        "may be replaced by other users, since they may write into %s; run: chmod go-w %s"
            .formatted(open, open));
    if (own == 0) {
      var foreign = Files.createDirectory(directory.resolve("foreign-directory"));
      Files.createSymbolicLink(foreign.resolve("link"), directory);
      Files.setAttribute(foreign, "unix:uid", 7);
      refuses(
          foreign.resolve("link/db"),
          "may be replaced by user %s, to whom %s belongs; move it to a directory of root"
              .formatted(Files.getOwner(foreign).getName(), foreign));
    }
  }

  @Test
  void directoriesOfRunsThatAreOverAreRemoved() throws IOException {
    var secret = Map.of("db", source);
    for (var run : List.of("old", "active", "new")) {
      credentials.prepared(run, program(secret));
    }
    credentials.preparedForExec("1", program(secret));
    var now = Instant.parse("2026-01-01T00:00:00Z");
    for (var run : List.of("old", "active", "exec-1")) {
      Files.setLastModifiedTime(
          directory.resolve("run/secrets").resolve(run), FileTime.from(now.minusSeconds(90)));
    }
    credentials.retain("active"::equals, now.minusSeconds(60));
    assertThat(directory.resolve("run/secrets"))
        .isDirectoryNotContaining("glob:**/old")
        .isDirectoryContaining("glob:**/active")
        .isDirectoryContaining("glob:**/new")
        .isDirectoryContaining("glob:**/exec-1");
    credentials.removeAllOfExec();
    assertThat(directory.resolve("run/secrets")).isDirectoryNotContaining("glob:**/exec-1");
  }
}
