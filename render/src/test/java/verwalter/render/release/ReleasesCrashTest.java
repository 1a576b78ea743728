package verwalter.render.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import verwalter.model.TemplateOutput;
import verwalter.render.MemoryDirectory;
import verwalter.render.RenderFailed;
import verwalter.render.Text;
import verwalter.render.Trees;
import verwalter.render.disk.BreakingDisk;
import verwalter.render.disk.Disk;
import verwalter.render.disk.FileState;
import verwalter.render.disk.LocalDisk;
import verwalter.render.disk.Mode;
import verwalter.render.disk.StepDisk;
import verwalter.render.recipe.Rendered;
import verwalter.render.recipe.Renderer;

/** Stops the machine at every step of storing a release, removing the oldest, and removing all. */
@SuppressWarnings("NullAway.Init") // JUnit and the set-up initialize the fields
class ReleasesCrashTest {
  @TempDir(factory = MemoryDirectory.class)
  Path temp;

  private Path directory;
  private Path conf;

  @BeforeEach
  void tenReleases() throws Exception {
    directory = temp.resolve("state/releases");
    conf = temp.resolve("conf");
    Trees.write(temp, "templates/conf.j2", "word {{ word }}\n");
    Trees.write(
        temp,
        "templates/a.render.yaml",
        "templates: {conf: conf.j2}\ncommands: [!Copy {dest: %s}]\n".formatted(conf));
    reset();
  }

  private void reset() throws Exception {
    if (Files.exists(directory)) {
      Trees.delete(directory);
    }
    for (int i = 0; i < Releases.MOST; i++) {
      keep(i, new LocalDisk());
    }
  }

  /** Release number 7 has the id d7 and the text 7. */
  private void keep(int number, Disk disk) throws Exception {
    var rendered = rendered(number);
    Files.writeString(conf, text(number));
    var file = ((FileState.Regular) FileState.of(conf)).described(conf);
    var releases = new Releases(temp.resolve("state"), disk);
    assertThat(releases.keep("d" + number, Instant.EPOCH, rendered, List.of(file))).isEmpty();
  }

  private Rendered rendered(int number) throws RenderFailed {
    return new Renderer(Path.of("/"))
        .render(temp.resolve("templates"), "shop", Map.of("word", number));
  }

  private static String text(int number) {
    return "word " + number + "\n";
  }

  /** The numbers of all listed releases, each of which must be complete. */
  private List<Integer> listed() throws Exception {
    var releases = new Releases(temp.resolve("state"));
    var numbers =
        releases.list().stream()
            .map(TemplateOutput.Release::deployment)
            .map(id -> Integer.valueOf(id.substring(1)))
            .toList();
    for (int number : numbers) {
      var release = releases.of("d" + number).orElseThrow();
      assertThat(release.rendered().digest()).isEqualTo(rendered(number).digest());
      assertThat(release.about().digest()).isEqualTo(rendered(number).digest());
      assertThat(release.files().get(conf.toString()).content())
          .isEqualTo(Text.bytes(text(number)));
    }
    return numbers;
  }

  private List<String> names() throws IOException {
    try (var all = Files.list(directory)) {
      return all.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    }
  }

  @ParameterizedTest
  @EnumSource(BreakingDisk.Kind.class)
  void crashAtAnyStepLeavesReleasesCompleteOrAbsent(BreakingDisk.Kind kind) throws Exception {
    int without = 0;
    int with = 0;
    for (int at = 0; ; at++) {
      reset();
      var disk = new BreakingDisk(at, kind);
      try {
        keep(10, disk);
      } catch (IOException | BreakingDisk.Stopped e) {
        assertThat(disk.broke()).isTrue();
      }
      var listed = listed();
      assertThat(listed)
          .as("broken at step %s", at)
          .isIn(
              List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
              List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
              List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
      keep(11, new LocalDisk());
      assertThat(listed()).as("after step %s", at).hasSize(10).endsWith(11);
      assertThat(names()).as("left after step %s", at).hasSize(10);
      if (!disk.broke()) {
        break;
      }
      boolean kept = listed.contains(10);
      with += kept ? 1 : 0;
      without += kept ? 0 : 1;
    }
    assertThat(without).isPositive();
    assertThat(with).isPositive();
  }

  @ParameterizedTest
  @EnumSource(BreakingDisk.Kind.class)
  void removesAllReleasesOfRemovedRole(BreakingDisk.Kind kind) throws Exception {
    for (int at = 0; ; at++) {
      reset();
      try {
        keep(10, new BreakingDisk(2, BreakingDisk.Kind.STOP_AFTER)); // leaves a temporary file
      } catch (BreakingDisk.Stopped e) {
        assertThat(names()).contains("draft");
      }
      var disk = new BreakingDisk(at, kind);
      try {
        new Releases(temp.resolve("state"), disk).clear();
      } catch (IOException | BreakingDisk.Stopped e) {
        assertThat(disk.broke()).isTrue();
        listed();
        new Releases(temp.resolve("state")).clear();
      }
      assertThat(names()).as("left after step %s", at).isEmpty();
      if (!disk.broke()) {
        assertThat(at).isGreaterThan(10);
        break;
      }
    }
  }

  /** After a power cut, an unsynced file may have its length or be shorter. */
  @Test
  void powerCutLeavesReleasesCompleteOrAbsent() throws Exception {
    reset();
    var disk = new ForgetfulDisk();
    keep(10, disk);
    var lost = disk.unsynced();
    assertThat(lost).hasSize(1);
    var file = lost.iterator().next();
    var whole = Files.readAllBytes(file);
    int head = new String(whole, 0, 300, StandardCharsets.ISO_8859_1).indexOf('\n');
    for (int length : List.of(0, 1, head, head + 1, head + 20, whole.length - 20)) {
      for (boolean zeros : List.of(false, true)) {
        reset();
        keep(10, new LocalDisk());
        var rest = Arrays.copyOf(whole, length);
        Files.write(file, zeros ? Arrays.copyOf(rest, whole.length) : rest);

        assertThat(listed()).as("cut at %s", length).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9);

        keep(10, new LocalDisk());
        assertThat(listed()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
      }
    }
  }

  @Test
  void corruptReleaseDoesNotHideOlderEqualOne() throws Exception {
    keep(11, new LocalDisk());
    keep(9, new LocalDisk());
    var newest = directory.resolve("00000012.release");
    var bytes = Files.readAllBytes(newest);
    Files.write(newest, Arrays.copyOf(bytes, bytes.length - 1));
    var like = new Releases(temp.resolve("state")).like(rendered(9).digest());
    assertThat(like.orElseThrow().files().get(conf.toString()).content())
        .isEqualTo(Text.bytes(text(9)));
  }

  /** The real disk, which records the files that a power cut could damage. */
  private static final class ForgetfulDisk extends StepDisk {
    private final Set<Path> unsynced = new HashSet<>();

    @Override
    protected void before() {}

    Set<Path> unsynced() {
      return unsynced;
    }

    @Override
    public void scratch(Path file, byte[] content, Mode mode) throws IOException {
      super.scratch(file, content, mode);
      unsynced.add(file);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
      super.rename(from, to);
      if (unsynced.remove(from)) {
        unsynced.add(to);
      }
    }

    @Override
    public void sync(Path path) throws IOException {
      super.sync(path);
      unsynced.remove(path);
    }
  }
}
