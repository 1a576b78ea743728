package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests who may reach the socket, and what is beside it. */
class LocalSocketTest {
  @TempDir private Path storage;

  private static String mode(Path path) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @ParameterizedTest
  @CsvSource({
    "rwx------, rwx--x---",
    "rwx--x--x, rwx--x--x",
    "rwxr-xr-x, rwx--x--x",
  })
  void theGroupMayEnterAndUsersOfProcessesStillMay(String before, String after) throws Exception {
    var file = storage.resolve(LocalSocket.NAME);
    var group = (GroupPrincipal) Files.getAttribute(storage, "posix:group");
    Files.setPosixFilePermissions(storage, PosixFilePermissions.fromString(before));
    new LocalSocket(file, Optional.of(group)).bind(() -> Files.createFile(file));
    assertThat(mode(storage)).isEqualTo(after);
    assertThat(mode(file)).isEqualTo("rw-rw----");
  }
}
