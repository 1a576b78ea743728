package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RuntimeMountTest {
  @TempDir Path storage;

  @Test
  void outlivesTheAgent() throws IOException {
    var file = storage.resolve("mounted");
    assertThat(new RuntimeMount(file).wasMounted()).isFalse();
    for (int i = 0; i < 2; i++) {
      new RuntimeMount(file).setMounted(true);
      assertThat(new RuntimeMount(file).wasMounted()).isTrue();
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    for (int i = 0; i < 2; i++) {
      new RuntimeMount(file).setMounted(false);
      assertThat(new RuntimeMount(file).wasMounted()).isFalse();
    }
  }

  @Test
  void failureIsOnlyLogged() {
    var mount = new RuntimeMount(storage.resolve("absent/mounted"));
    mount.setMounted(true);
    assertThat(mount.wasMounted()).isFalse();
  }
}
