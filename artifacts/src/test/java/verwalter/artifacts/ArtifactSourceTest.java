package verwalter.artifacts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArtifactSourceTest {
  @TempDir Path root;

  @ParameterizedTest
  @CsvSource({
    "/srv/web, LocalPath, /srv/web",
    "file:/srv/web.tar.gz, LocalArchive, file:///srv/web.tar.gz",
    "file:///srv/a%20b.zip, LocalArchive, file:///srv/a%20b.zip",
    "FILE://localhost/srv/web.zip, LocalArchive, file:///srv/web.zip",
    "https://example.org/web-1.2.tar.zst, WebArchive, https://example.org/web-1.2.tar.zst",
    "HTTP://example.org:8080/a, WebArchive, http://example.org:8080/a",
    "https://example.org/a?token=secret, WebArchive, https://example.org/a?…"
  })
  void aSourceIsAPathOrAnUrl(String text, String type, String shown) throws ArtifactException {
    var source = ArtifactSource.parse(text);
    assertThat(source.getClass().getSimpleName()).isEqualTo(type);
    assertThat(source).hasToString(shown);
  }

  @ParameterizedTest
  @CsvSource({
    "'', has 0 characters",
    "web.tar.gz, must be absolute",
    "srv/web, must be absolute",
    "../web, must be absolute",
    "/srv/../etc, must not contain",
    "/srv/./web, must not contain",
    "file:///srv/%2e%2e/etc, must not contain",
    "file://other/srv/web.zip, not of the form",
    "file:web.zip, not of the form",
    "file:///web.zip?a, more than a path",
    "ftp://example.org/web.zip, the schemes are",
    "docker:web, the schemes are",
    "https://user:hunter2@example.org/web.zip, a user or password",
    "https://user@example.org/web.zip, a user or password",
    "https:///web.zip, no valid host",
    "https://exa mple.org/web.zip, malformed",
    "https:web.zip, no valid host",
    "https://example.org/a/../b, must not contain",
    "https://example.org/a/%2e%2e/b, must not contain",
    "https://example.org/a#b, fragment",
    "https://example.org:99999/a, port"
  })
  void othersAreRefused(String text, String why) {
    assertThatThrownBy(() -> ArtifactSource.parse(text))
        .isInstanceOfSatisfying(
            ArtifactException.class,
            it -> {
              assertThat(it.reason()).isEqualTo(ArtifactException.Reason.BAD_SOURCE);
              assertThat(it.isTransient()).isFalse();
              assertThat(it).hasMessageContaining(why);
              assertThat(it.getMessage()).doesNotContain("hunter2");
            });
  }

  @Test
  void theDiskSaysWhetherAPathIsADirectory() throws IOException, ArtifactException {
    var file = Files.writeString(root.resolve("a.tar"), "");
    assertThat(new ArtifactSource.LocalPath(root).isDirectory()).isTrue();
    assertThat(new ArtifactSource.LocalPath(file).isDirectory()).isFalse();
    assertThatThrownBy(() -> new ArtifactSource.LocalPath(root.resolve("b")).isDirectory())
        .hasMessageContaining("does not exist")
        .isInstanceOfSatisfying(
            ArtifactException.class, it -> assertThat(it.isTransient()).isTrue());
    assertThatThrownBy(() -> new ArtifactSource.LocalPath(Path.of("/dev/zero")).isDirectory())
        .hasMessageContaining("neither a file nor a directory");
  }
}
