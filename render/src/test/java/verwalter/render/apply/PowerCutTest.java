package verwalter.render.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import verwalter.model.TemplateOutput;
import verwalter.render.MemoryDirectory;
import verwalter.render.Trees;
import verwalter.render.disk.BreakingDisk;
import verwalter.render.disk.Disk;
import verwalter.render.disk.LocalDisk;
import verwalter.render.disk.PowerCutDisk;
import verwalter.render.recipe.Rendered;
import verwalter.render.recipe.Renderer;

/** Cuts the power at every step of a recipe; data that was not synced is lost. */
@SuppressWarnings("NullAway.Init") // JUnit and the set-up initialize the fields
class PowerCutTest {
  private static final String LARGE = "old\n".repeat(20_000);

  @TempDir(factory = MemoryDirectory.class)
  Path temp;

  private Path root;
  private Path state;
  private Rendered rendered;
  private Map<String, String> before;
  private Map<String, String> after;

  @BeforeEach
  void apply() throws Exception {
    root = temp.toRealPath().resolve("root");
    state = temp.toRealPath().resolve("state");
    var templates = temp.resolve("templates");
    Trees.write(templates, "list.j2", "=a\n1\n=b\n2\n=c\n3\n");
    Trees.write(templates, "conf.j2", "keep\nalso\n");
    Trees.write(templates, "a.render.yaml", CommandsCrashTest.RECIPE);
    rendered = new Renderer(root).render(templates, "shop", Map.of());
    reset();
    before = Trees.snapshot(root);
    application(new LocalDisk()).apply(rendered, List.of());
    after = Trees.snapshot(root);
    assertThat(before).containsEntry("conf/a", "0640 " + LARGE);
    assertThat(after).containsEntry("conf/a", "0644 keep\nalso\n");
  }

  /** The old tree, with a file too large for the journal itself. */
  private void reset() throws IOException {
    for (var directory : List.of(root, state)) {
      if (Files.exists(directory)) {
        Trees.delete(directory);
      }
    }
    CommandsCrashTest.oldTree(root);
    Trees.mode(Trees.write(root, "conf/a", LARGE), 0640);
  }

  private Application application(Disk disk) {
    return application(disk, new FakePrograms(disk, temp));
  }

  private Application application(Disk disk, Programs programs) {
    return new Application(
        state,
        programs,
        (sandbox, text, source) -> new TemplateOutput.ProcessFile(sandbox, Map.of()),
        disk);
  }

  @ParameterizedTest
  @EnumSource
  void powerCutLeavesAllFilesOldOrAllNew(PowerCutDisk.Loss loss) throws Exception {
    int applied = 0;
    for (int at = 0; ; at++) {
      reset();
      var disk = new PowerCutDisk(loss, at);
      try {
        application(disk).apply(rendered, List.of());
        applied++;
        application(disk).settle();
      } catch (BreakingDisk.Stopped e) {
        assertThat(disk.stopped()).isTrue();
      }
      disk.cutPower();
      application(PowerCutDisk.ofNextBoot()).recover();
      var tree = Trees.snapshot(root);
      assertThat(tree).as("cut at step %s", at).isIn(before, after);
      assertThat(applied == 0 || tree.equals(after)).as("lasts, cut at step %s", at).isTrue();
      if (!disk.stopped()) {
        assertThat(tree).as("after the last step").isEqualTo(after);
        assertThat(Trees.snapshot(state))
            .containsOnlyKeys("undo/journal", "written")
            .containsEntry("undo/journal", "0600 ");
        application(new LocalDisk()).remove(List.of());
        assertThat(Trees.snapshot(root)).containsOnlyKeys("old/also", "old/keep");
        assertThat(at).isGreaterThan(60);
        assertThat(applied).as("cuts before the files were synced").isGreaterThan(10);
        break;
      }
      application(new LocalDisk()).apply(rendered, List.of());
      application(new LocalDisk()).settle();
      assertThat(Trees.snapshot(root)).as("again after step %s", at).isEqualTo(after);
      assertThat(Trees.snapshot(state))
          .as("left after step %s", at)
          .containsOnlyKeys("undo/journal", "written");
    }
  }

  @ParameterizedTest
  @EnumSource
  void powerCutDuringUndoLeavesAllFilesOld(PowerCutDisk.Loss loss) throws Exception {
    int undone = 0;
    for (int at = 0; ; at++) {
      reset();
      var disk = new PowerCutDisk(loss, at);
      try {
        application(disk, failingReload()).apply(rendered, List.of());
      } catch (BreakingDisk.Stopped e) {
        assertThat(disk.stopped()).isTrue();
      } catch (ApplyFailed e) {
        assertThat(e).hasMessageContaining("!RootCommand reload: exit code 1");
        undone++;
      }
      disk.cutPower();
      application(PowerCutDisk.ofNextBoot()).recover();
      assertThat(Trees.snapshot(root)).as("cut at step %s", at).isEqualTo(before);
      if (!disk.stopped()) {
        break;
      }
    }
    assertThat(undone).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void interruptedRecoveryIsFinishedByNext(PowerCutDisk.Loss loss) throws Exception {
    for (int at = 0; ; at++) {
      reset();
      assertThatThrownBy(
              () -> application(new LocalDisk(), stopAtReload()).apply(rendered, List.of()))
          .isInstanceOf(BreakingDisk.Stopped.class);
      assertThat(Trees.snapshot(root)).isEqualTo(after);
      var disk = new PowerCutDisk(loss, at);
      try {
        application(disk).recover();
      } catch (BreakingDisk.Stopped e) {
        assertThat(disk.stopped()).isTrue();
      }
      disk.cutPower();
      application(PowerCutDisk.ofNextBoot()).recover();
      assertThat(Trees.snapshot(root)).as("cut at step %s", at).isEqualTo(before);
      if (!disk.stopped()) {
        assertThat(at).isGreaterThan(20);
        break;
      }
    }
  }

  private Programs stopAtReload() {
    return new FakePrograms(new BreakingDisk(2, BreakingDisk.Kind.STOP_BEFORE), temp);
  }

  private Programs failingReload() {
    return new FakePrograms(new BreakingDisk(2, BreakingDisk.Kind.FAIL), temp);
  }
}
