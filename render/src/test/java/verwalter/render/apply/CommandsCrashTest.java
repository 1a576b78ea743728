package verwalter.render.apply;

import static org.assertj.core.api.Assertions.assertThat;

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
import verwalter.render.recipe.Rendered;
import verwalter.render.recipe.Renderer;

/** Stops the machine at every step of a recipe that has all commands. */
@SuppressWarnings("NullAway.Init") // JUnit and the set-up initialize the fields
class CommandsCrashTest {
  static final String RECIPE =
      """
      templates: {list: list.j2, conf: conf.j2}
      commands:
      - !PeekLog nothing/here
      - !Copy {src: "{{ files.conf }}", dest: "{{ config_dir }}/conf/a"}
      - !SplitText
        src: "{{ files.list }}"
        section: "^=(.*)$"
        validate: "^[a-z]+$"
        dest: "{{ config_dir }}/sites/(*).conf"
        mode: 0o640
      - !Cmd [in, between]
      - !CleanFiles {pattern: "{{ config_dir }}/old/(*)", keep-list: "{{ files.conf }}"}
      - !Condition
        dirs-changed: ["{{ config_dir }}/sites"]
        commands:
        - !Sh the sites have changed
        - !Copy {src: "{{ files.conf }}", dest: "{{ config_dir }}/conf/b"}
        - !SplitText
          src: "{{ files.list }}"
          section: "^=(.*)$"
          validate: "^[a-z]+$"
          dest: "{{ config_dir }}/more/(*)"
      - !Condition
        dirs-changed: ["{{ config_dir }}/conf"]
        commands:
        - !RootCommand [reload, it]
      """;

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
    state = temp.resolve("state");
    var templates = temp.resolve("templates");
    Trees.write(templates, "list.j2", "=a\n1\n=b\n2\n=c\n3\n");
    Trees.write(templates, "conf.j2", "keep\n{{ word }}\n");
    Trees.write(templates, "a.render.yaml", RECIPE);
    rendered = new Renderer(root).render(templates, "shop", Map.of("word", "also"));
    reset();
    before = Trees.snapshot(root);
    application(new LocalDisk(), new LocalDisk()).apply(rendered, List.of());
    after = Trees.snapshot(root);
    assertThat(after.keySet())
        .containsExactlyInAnyOrder(
            "conf/a",
            "conf/b",
            "more/a",
            "more/b",
            "more/c",
            "old/also",
            "old/keep",
            "sites/a.conf",
            "sites/b.conf",
            "sites/c.conf");
    assertThat(after).containsEntry("sites/b.conf", "0640 2\n");
  }

  private void reset() throws IOException {
    for (var directory : List.of(root, state)) {
      if (Files.exists(directory)) {
        Trees.delete(directory);
      }
    }
    oldTree(root);
  }

  static void oldTree(Path root) throws IOException {
    Trees.write(root, "conf/a", "old\n");
    Trees.mode(Trees.write(root, "sites/a.conf", "1\n"), 0640);
    Trees.mode(Trees.write(root, "sites/b.conf", "old\n"), 0600);
    Trees.write(root, "sites/gone.conf", "gone\n");
    Files.createSymbolicLink(root.resolve("sites/link.conf"), Path.of("a.conf"));
    Trees.write(root, "more/gone", "gone\n");
    for (var name : List.of("keep", "also", "gone")) {
      Trees.write(root, "old/" + name, name + "\n");
    }
  }

  private Application application(Disk disk, Disk programs) {
    return application(disk, new FakePrograms(programs, temp));
  }

  private Application application(Disk disk, Programs programs) {
    return new Application(
        state,
        programs,
        (sandbox, text, source) -> new TemplateOutput.ProcessFile(sandbox, Map.of()),
        disk);
  }

  @ParameterizedTest
  @EnumSource(BreakingDisk.Kind.class)
  void crashAtAnyStepLeavesAllFilesOldOrAllNew(BreakingDisk.Kind kind) throws Exception {
    int old = 0;
    int fresh = 0;
    for (int at = 0; ; at++) {
      reset();
      var disk = new BreakingDisk(at, kind);
      try {
        application(disk, disk).apply(rendered, List.of());
        application(disk, disk).settle();
      } catch (ApplyFailed | BreakingDisk.Stopped e) {
        assertThat(disk.broke()).isTrue();
      }
      if (!disk.broke()) {
        break;
      }
      if (kind != BreakingDisk.Kind.FAIL) {
        application(new LocalDisk(), new LocalDisk()).recover();
      }
      var tree = Trees.snapshot(root);
      assertThat(tree).as("broken at step %s", at).isIn(before, after);
      boolean wasOld = tree.equals(before);
      old += wasOld ? 1 : 0;
      fresh += wasOld ? 0 : 1;
      var programs = new FakePrograms(new LocalDisk(), temp);
      application(new LocalDisk(), programs).apply(rendered, List.of());
      assertThat(Trees.snapshot(root)).as("again after step %s", at).isEqualTo(after);
      assertThat(programs.ran().contains("reload"))
          .as("old files come with their reload, at step %s", at)
          .isEqualTo(wasOld);
      application(new LocalDisk(), new LocalDisk()).settle();
      assertThat(Trees.snapshot(state))
          .as("left after step %s", at)
          .containsOnlyKeys("undo/journal", "written");
    }
    assertThat(old).isGreaterThan(40);
    assertThat(fresh).isGreaterThan(1);
  }

  @ParameterizedTest
  @EnumSource(BreakingDisk.Kind.class)
  void interruptedRecoveryIsFinishedByNext(BreakingDisk.Kind kind) throws Exception {
    for (int at = 0; ; at++) {
      reset();
      var stopped = new BreakingDisk(2, BreakingDisk.Kind.STOP_BEFORE); // at the reload
      try {
        application(new LocalDisk(), stopped).apply(rendered, List.of());
      } catch (BreakingDisk.Stopped e) {
        assertThat(Trees.snapshot(root)).isEqualTo(after);
      }
      assertThat(stopped.broke()).isTrue();
      var disk = new BreakingDisk(at, kind);
      try {
        application(disk, disk).recover();
      } catch (ApplyFailed | BreakingDisk.Stopped e) {
        assertThat(disk.broke()).isTrue();
      }
      application(new LocalDisk(), new LocalDisk()).recover();
      assertThat(Trees.snapshot(root)).as("broken at step %s", at).isEqualTo(before);
      if (!disk.broke()) {
        assertThat(at).isGreaterThan(20);
        break;
      }
    }
  }
}
