package verwalter.controllers.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.model.service.ServiceMetadata;

/**
 * Tests reading roles of both kinds: directories of {@code runtime/} and files of {@code roles/}.
 */
class ConfigDirectoryTest {
  private static final String SERVICE = "processes: {web: {command: [./server]}}\n";

  @TempDir Path config;
  private boolean mounted;

  private final RuntimeDirectory.MountRecord mounts =
      new RuntimeDirectory.MountRecord() {
        @Override
        public boolean wasMounted() {
          return mounted;
        }

        @Override
        public void setMounted(boolean now) {
          mounted = now;
        }
      };

  @BeforeEach
  void aService() throws IOException {
    write("roles/web.yaml", SERVICE);
  }

  private void write(String path, String text) throws IOException {
    var file = config.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private RuntimeReading read() throws IOException {
    var runtime = new RuntimeDirectory(config, mounts);
    return new ConfigDirectory(runtime, new RolesDirectory(config, mounts)).read();
  }

  @Test
  void aFileIsAService() throws IOException {
    write("roles/.hidden.yaml", "?");
    write("roles/web.yaml~", "?");
    write("roles/README.md", "?");
    var reading = read();
    assertThat(reading.services().get("web").file().processes()).containsOnlyKeys("web");
    assertThat(reading.services()).hasSize(1);
    assertThat(reading.problems()).isEmpty();
    assertThat(reading.unknown()).containsOnlyKeys("runtime");
  }

  private static final String WITH_FILES =
      """
      processes: {web: {command: [./x, "${files}/shop.ini"]}}
      files:
        - {template: shop.ini.j2, to: shop.ini}
        - {template: more/motd.j2, to: etc/motd}
      """;

  @Test
  void templatesAreBesideTheFile() throws IOException {
    write("roles/web.yaml", WITH_FILES);
    write("roles/web/shop.ini.j2", "port = 1");
    write("roles/web/more/motd.j2", "hello");
    var before = read().services().get("web");
    assertThat(before.templates())
        .isEqualTo(Map.of("shop.ini.j2", "port = 1", "more/motd.j2", "hello"));
    write("roles/web/more/motd.j2", "hallo");
    assertThat(ServiceMetadata.digest(read().services().get("web")))
        .isNotEqualTo(ServiceMetadata.digest(before));
  }

  @Test
  void missingTemplatesAreErrorsWithTheirPlace() throws IOException {
    write("roles/web.yaml", WITH_FILES);
    write("roles/web/shop.inl.j2", "x");
    Files.createDirectories(config.resolve("roles/web/more"));
    Files.createSymbolicLink(config.resolve("roles/web/more/motd.j2"), Path.of("/etc/passwd"));
    var problems = read().problems().get("web");
    assertThat(problems.get(0))
        .contains("roles/web.yaml:3:16: files: there is no file ")
        .endsWith("roles/web/shop.ini.j2; did you mean \"shop.inl.j2\"?");
    assertThat(problems.get(1))
        .contains("roles/web.yaml:4:16: files: ")
        .endsWith("is a link that leads outside of the directory");
    write("roles/web/shop.ini.j2", "x".repeat(70_000));
    Files.delete(config.resolve("roles/web/more/motd.j2"));
    write("roles/web/more/motd.j2", "x");
    assertThat(read().problems().get("web").get(0)).contains("at most 65536 are allowed");
  }

  @Test
  void bothKindsLiveTogether() throws IOException {
    write("runtime/db/v1.yaml", "daemons: {}");
    var reading = read();
    assertThat(reading.roles()).containsOnlyKeys("db");
    assertThat(reading.services()).containsOnlyKeys("web");
    assertThat(reading.unknown()).isEmpty();
  }

  @Test
  void aRoleIsDescribedOnce() throws IOException {
    write("runtime/web/v1.yaml", "daemons: {}");
    write("roles/db.yaml", SERVICE);
    write("roles/db.yml", SERVICE);
    var reading = read();
    assertThat(reading.services()).isEmpty();
    assertThat(reading.problems().get("web"))
        .containsExactly("roles/web.yaml and runtime/web both describe it");
    assertThat(reading.problems().get("db")).hasSize(1);
    assertThat(reading.problems().get("db").get(0)).contains("another file describes the role db");
  }

  @Test
  void problemsAreThoseOfOneRole() throws IOException {
    write("roles/typo.yaml", "proceses: {}");
    write("roles/a.b.yaml", SERVICE);
    Files.write(config.resolve("roles/bytes.yaml"), new byte[] {(byte) 0xff});
    Files.createDirectory(config.resolve("roles/dir.yaml"));
    Files.createSymbolicLink(config.resolve("roles/gone.yaml"), config.resolve("nothing"));
    write("roles/large.yaml", "#".repeat(2 << 20));
    var reading = read();
    assertThat(reading.services()).containsOnlyKeys("web");
    assertThat(reading.problems()).containsOnlyKeys("typo", "a.b", "bytes", "dir", "gone", "large");
    assertThat(reading.files()).contains("web", "typo", "a.b", "large");
    assertThat(reading.problems().get("typo").get(0))
        .endsWith("roles/typo.yaml:1:1: proceses: unknown field; did you mean \"processes\"?");
    assertThat(reading.problems().get("a.b").get(0)).contains("rename the file");
  }

  @Test
  void aFileOfTheKernelIsRefusedWithoutBlocking() throws IOException {
    Files.createSymbolicLink(config.resolve("roles/log.yaml"), Path.of("/proc/kmsg"));
    assertThat(read().problems().get("log").get(0)).endsWith("is a file of the kernel");
    assertThat(read().services()).containsOnlyKeys("web");
  }

  @Test
  void missingDirectoriesAreUnknown() throws IOException {
    Files.delete(config.resolve("roles/web.yaml"));
    assertThat(read().unknown()).containsOnlyKeys("runtime");
    Files.delete(config.resolve("roles"));
    assertThatThrownBy(this::read)
        .isInstanceOfSatisfying(
            UnreadableConfig.class,
            unreadable -> {
              assertThat(unreadable.reason("roles")).contains("/roles does not exist; if there");
              assertThat(unreadable.reason("runtime")).contains("/runtime: does not exist; if");
            });
    Files.createDirectory(config.resolve("runtime"));
    assertThat(read().unknown()).containsOnlyKeys("roles");
  }

  @Test
  void anUnmountedDirectoryIsUnknown() throws IOException {
    mounted = true;
    Files.delete(config.resolve("roles/web.yaml"));
    Files.createDirectory(config.resolve("runtime"));
    write("runtime/db/v1.yaml", "daemons: {}");
    assertThat(read().unknown().get("roles")).contains("is not mounted");
  }
}
