package verwalter.render.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import verwalter.model.TemplateOutput;
import verwalter.render.MemoryDirectory;
import verwalter.render.Text;
import verwalter.render.Trees;
import verwalter.render.disk.BreakingDisk;
import verwalter.render.disk.Disk;
import verwalter.render.disk.LocalDisk;
import verwalter.render.recipe.Rendered;
import verwalter.render.recipe.Renderer;

/** Stops the machine at every step of an application, and of the following recovery. */
@SuppressWarnings("NullAway.Init") // JUnit and the set-up initialize the fields
class CrashTest {
  @TempDir(factory = MemoryDirectory.class)
  Path temp;

  private Path etc;
  private Path state;
  private Rendered rendered;
  private Map<String, String> before;
  private Map<String, String> after;
  private final ProcessFiles processFiles =
      (sandbox, text, source) -> new TemplateOutput.ProcessFile(sandbox, Map.of());

  @BeforeEach
  void apply() throws Exception {
    etc = temp.resolve("etc");
    state = temp.resolve("state");
    rendered = rendered();
    reset();
    before = Trees.snapshot(etc);
    application(new LocalDisk(), new LocalDisk()).apply(rendered, last());
    after = Trees.snapshot(etc);
    assertThat(after).isNotEqualTo(before);
    assertThat(after)
        .containsEntry("changed", "0644 new changed\n")
        .containsEntry("link", "0644 new changed\n")
        .containsEntry("fresh", "0600 fresh\n")
        .containsEntry("equal", "0644 equal\n")
        .containsEntry("target", "0644 target\n")
        .doesNotContainKey("obsolete");
  }

  private Rendered rendered() throws Exception {
    var templates = temp.resolve("templates");
    Trees.write(templates, "changed.j2", "new {{ word }}\n");
    Trees.write(templates, "equal.hbs", "equal\n");
    Trees.write(templates, "fresh.j2", "fresh\n");
    Trees.write(
        templates,
        "a.render.yaml",
        """
        templates: {changed: changed.j2, equal: equal.hbs, fresh: fresh.j2}
        commands:
        - !Sh "check {{ files.changed }}"
        - !Copy {src: "{{ files.equal }}", dest: ETC/equal}
        - !Copy {src: "{{ files.changed }}", dest: ETC/changed}
        - !Copy {src: "{{ files.changed }}", dest: ETC/link}
        - !Sh "in between"
        - !RootCommand [lithos_switch, "{{ role }}", "{{ files.changed }}"]
        - !Copy {src: "{{ files.fresh }}", dest: ETC/fresh, mode: 0o600}
        - !RootCommand [reload, it]
        """
            .replace("ETC", etc.toString()));
    return new Renderer(Path.of("/")).render(templates, "shop", Map.of("word", "changed"));
  }

  private void reset() throws IOException {
    for (var directory : List.of(etc, state)) {
      if (Files.exists(directory)) {
        Trees.delete(directory);
      }
    }
    Files.createDirectories(etc);
    Trees.mode(Trees.write(etc, "changed", "old\n"), 0640);
    Trees.mode(Trees.write(etc, "equal", "equal\n"), 0644);
    Trees.mode(Trees.write(etc, "target", "target\n"), 0644);
    Trees.mode(Trees.write(etc, "obsolete", "obsolete\n"), 0600);
    Files.createSymbolicLink(etc.resolve("link"), Path.of("target"));
  }

  private List<TemplateOutput.File> last() {
    var bytes = Text.bytes("obsolete\n");
    return List.of(
        new TemplateOutput.File(
            etc.resolve("obsolete").toString(), Text.sha256(bytes), "0600", bytes.length));
  }

  private Application application(Disk disk, Disk programs) {
    return new Application(state, new FakePrograms(programs, temp), processFiles, disk);
  }

  @ParameterizedTest
  @EnumSource(BreakingDisk.Kind.class)
  void crashAtAnyStepLeavesAllFilesOldOrAllNew(BreakingDisk.Kind kind) throws Exception {
    int old = 0;
    int fresh = 0;
    for (int at = 0; ; at++) {
      reset();
      var disk = new BreakingDisk(at, kind);
      attempt(disk);
      if (!disk.broke()) {
        break;
      }
      if (kind != BreakingDisk.Kind.FAIL) {
        application(new LocalDisk(), new LocalDisk()).recover();
      }
      var tree = Trees.snapshot(etc);
      assertThat(tree).as("broken at step %s", at).isIn(before, after);
      old += tree.equals(before) ? 1 : 0;
      fresh += tree.equals(after) ? 1 : 0;
      application(new LocalDisk(), new LocalDisk()).apply(rendered, last());
      assertThat(Trees.snapshot(etc)).as("again after step %s", at).isEqualTo(after);
      application(new LocalDisk(), new LocalDisk()).settle();
      assertThat(Trees.snapshot(state))
          .as("left after step %s", at)
          .containsOnlyKeys("undo/journal", "written");
    }
    assertThat(old).isGreaterThan(15);
    assertThat(fresh).isGreaterThan(1);
  }

  @ParameterizedTest
  @EnumSource(BreakingDisk.Kind.class)
  void removesNewFilesOfRoleRemovedAfterCrash(BreakingDisk.Kind kind) throws Exception {
    int fresh = 0;
    for (int at = 0; ; at++) {
      reset();
      var disk = new BreakingDisk(at, kind);
      attempt(disk);
      application(new LocalDisk(), new LocalDisk()).recover();
      boolean applied = Trees.snapshot(etc).equals(after);
      application(new LocalDisk(), new LocalDisk())
          .remove(last()); // the caller stored no other files
      if (applied) {
        fresh++;
        assertThat(Trees.snapshot(etc)).as("broken at step %s", at).containsOnlyKeys("target");
      }
      if (!disk.broke()) {
        break;
      }
    }
    assertThat(fresh).isGreaterThan(1);
  }

  private void attempt(BreakingDisk disk) {
    try {
      application(disk, disk).apply(rendered, last());
      application(disk, disk).settle();
    } catch (ApplyFailed | BreakingDisk.Stopped e) {
      assertThat(disk.broke()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(value = BreakingDisk.Kind.class)
  void interruptedRecoveryIsFinishedByNext(BreakingDisk.Kind kind) throws Exception {
    for (int at = 0; ; at++) {
      reset();
      assertThatThrownBy(() -> application(new LocalDisk(), stopAtReload()).apply(rendered, last()))
          .isInstanceOf(BreakingDisk.Stopped.class);
      assertThat(Trees.snapshot(etc)).isEqualTo(after);
      var disk = new BreakingDisk(at, kind);
      try {
        application(disk, disk).recover();
      } catch (ApplyFailed | BreakingDisk.Stopped e) {
        assertThat(disk.broke()).isTrue();
      }
      application(new LocalDisk(), new LocalDisk()).recover();
      assertThat(Trees.snapshot(etc)).as("broken at step %s", at).isEqualTo(before);
      if (!disk.broke()) {
        break;
      }
    }
  }

  private static BreakingDisk stopAtReload() {
    return new BreakingDisk(2, BreakingDisk.Kind.STOP_BEFORE);
  }

  @Test
  void nextRunUndoesUnfinishedRun() throws Exception {
    reset();
    assertThatThrownBy(() -> application(new LocalDisk(), stopAtReload()).apply(rendered, last()))
        .isInstanceOf(BreakingDisk.Stopped.class);
    var applied = application(new LocalDisk(), new LocalDisk()).apply(rendered, last());
    assertThat(applied.log())
        .contains(etc.resolve("changed") + ": put back after an unfinished run");
    assertThat(Trees.snapshot(etc)).isEqualTo(after);
  }
}
