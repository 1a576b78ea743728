package verwalter.render.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.model.TemplateOutput;
import verwalter.render.MemoryDirectory;
import verwalter.render.Trees;
import verwalter.render.apply.Application;
import verwalter.render.apply.LocalPrograms;
import verwalter.render.recipe.Rendered;
import verwalter.render.recipe.Renderer;

@SuppressWarnings("NullAway.Init") // JUnit and the set-up initialize the fields
class ReleasesTest {
  private static final Instant THEN = Instant.parse("2026-01-31T12:00:00Z");

  @TempDir(factory = MemoryDirectory.class)
  Path temp;

  private Path etc;
  private Application application;
  private Releases releases;
  private List<TemplateOutput.File> last = List.of();

  @BeforeEach
  void directories() throws IOException {
    etc = Files.createDirectories(temp.resolve("etc"));
    application =
        new Application(
            temp.resolve("state"),
            new LocalPrograms(System.getenv(), Duration.ofSeconds(10), System::nanoTime),
            (sandbox, text, source) -> new TemplateOutput.ProcessFile(sandbox, Map.of()));
    releases = new Releases(temp.resolve("state"));
    Files.writeString(temp.resolve("extra"), "extra 1\n");
  }

  private Rendered rendered(String word) throws Exception {
    var templates = temp.resolve("templates");
    Trees.write(templates, "conf.j2", "word {{ word }}\n");
    Trees.write(
        templates,
        "a.render.yaml",
        """
        templates: {conf: conf.j2}
        commands:
        - !Copy {src: "{{ files.conf }}", dest: TEMP/etc/conf, mode: 0o640}
        - !Copy {src: TEMP/extra, dest: TEMP/etc/extra}
        - !Cmd [sh, -c, "echo reload >> TEMP/reloads"]
        """
            .replace("TEMP", temp.toString()));
    return new Renderer(Path.of("/")).render(templates, "shop", Map.of("word", word));
  }

  private void apply(String id, String word) throws Exception {
    var rendered = rendered(word);
    last = application.apply(rendered, last).files();
    assertThat(releases.keep(id, THEN, rendered, last)).isEmpty();
  }

  private List<String> ids() throws IOException {
    return releases.list().stream().map(TemplateOutput.Release::deployment).toList();
  }

  @Test
  void repeatsApplicationByteForByteWithCommands() throws Exception {
    apply("d1", "one");
    var before = Trees.snapshot(etc);
    Files.writeString(temp.resolve("extra"), "extra 2\n");
    apply("d2", "two");
    assertThat(Trees.snapshot(etc)).isNotEqualTo(before);

    var old = new Releases(temp.resolve("state")).of("d1").orElseThrow();
    last = application.applyAgain(old, last).files();

    assertThat(Trees.snapshot(etc)).isEqualTo(before);
    assertThat(Files.readAllLines(temp.resolve("reloads"))).hasSize(3);
    assertThat(old.rendered().digest()).isEqualTo(old.about().digest());
    assertThat(old.about().at()).isEqualTo(THEN);
  }

  @Test
  void keepsTenAndRemovesOldestFirst() throws Exception {
    for (int i = 0; i < 12; i++) {
      apply("d" + i, "word " + i);
    }
    assertThat(ids()).hasSize(10).startsWith("d2").endsWith("d11");
  }

  @Test
  void doesNotStoreNewestTwice() throws Exception {
    apply("d1", "one");
    apply("d2", "one");
    assertThat(ids()).containsExactly("d1");
    apply("d3", "two");
    apply("d4", "one");
    assertThat(ids()).containsExactly("d1", "d3", "d4");
    assertThat(releases.like(rendered("one").digest()).orElseThrow().about().deployment())
        .isEqualTo("d4");
  }

  @Test
  void skipsCorruptRelease() throws Exception {
    apply("d1", "one");
    apply("d2", "two");
    var files = temp.resolve("state/releases");
    var bytes = Files.readAllBytes(files.resolve("00000001.release"));
    bytes[bytes.length - 20] ^= 1;
    Files.write(files.resolve("00000001.release"), bytes);
    Files.writeString(files.resolve("00000003.release"), "nothing");
    Files.writeString(files.resolve("draft"), "half");

    assertThat(ids()).containsExactly("d2");
    assertThatThrownBy(() -> releases.of("d1")).hasMessageContaining("is damaged");
    apply("d3", "three");
    assertThat(ids()).containsExactly("d2", "d3");
  }

  @Test
  void filesAreReadableByThisUserOnly() throws Exception {
    apply("d1", "one");
    var files = temp.resolve("state/releases");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files)))
        .isEqualTo("rwx------");
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(files.resolve("00000001.release"))))
        .isEqualTo("rw-------");
  }

  @Test
  void doesNotStoreOversizedRelease() throws Exception {
    Files.write(temp.resolve("extra"), new byte[33 << 20]);
    var rendered = rendered("one");
    last = application.apply(rendered, last).files();
    assertThat(releases.keep("d1", THEN, rendered, last).orElseThrow()).contains("of a release");
    assertThat(ids()).isEmpty();
  }
}
