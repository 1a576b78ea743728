package verwalter.render.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.model.TemplateOutput;
import verwalter.render.MemoryDirectory;
import verwalter.render.RenderFailed;
import verwalter.render.Trees;
import verwalter.render.disk.BreakingDisk;
import verwalter.render.disk.StepDisk;
import verwalter.render.recipe.Rendered;
import verwalter.render.recipe.Renderer;

/** Errors of applications, and the state of the files after them. */
@SuppressWarnings("NullAway.Init") // JUnit and the set-up initialize the fields
class FailureTest {
  @TempDir(factory = MemoryDirectory.class)
  Path temp;

  private Path etc;
  private Path state;
  private final Disk disk = new Disk();
  private final List<String> ran = new ArrayList<>();

  /** A disk that refuses some operations on request. */
  private static final class Disk extends StepDisk {
    private String refusedRename = "";
    private String refusedDelete = "";
    private final List<Path> synced = new ArrayList<>();
    private String refusedRecord = "nothing";
    private int records;

    @Override
    protected void before() {}

    @Override
    public void rename(Path from, Path to) throws IOException {
      if (to.endsWith(refusedRename)) {
        throw new IOException("no renaming to " + refusedRename);
      }
      super.rename(from, to);
    }

    @Override
    public void overwrite(Path file, long from, byte[] content) throws IOException {
      if (content.length > 0) {
        records++;
        if (new String(content, StandardCharsets.UTF_8).contains(refusedRecord)) {
          super.overwrite(file, from, Arrays.copyOf(content, content.length / 2));
          throw new IOException("no record of " + refusedRecord);
        }
      }
      super.overwrite(file, from, content);
    }

    @Override
    public void sync(Path path) throws IOException {
      synced.add(path);
      super.sync(path);
    }

    @Override
    public void delete(Path file) throws IOException {
      if (file.endsWith(refusedDelete)) {
        throw new IOException("no deleting of " + refusedDelete);
      }
      super.delete(file);
    }
  }

  @BeforeEach
  void directories() throws IOException {
    etc = Files.createDirectories(temp.toRealPath().resolve("etc"));
    state = temp.toRealPath().resolve("state");
  }

  /** A program that makes the disk refuse operations, and may fail. */
  private final class Saboteur implements Programs {
    @Override
    public Outcome run(List<String> argv) {
      ran.add(argv.get(0));
      switch (argv.get(0)) {
        case "refuse-rename" -> disk.refusedRename = argv.get(1);
        case "refuse-record" -> disk.refusedRecord = argv.get(1);
        case "refuse-delete" -> disk.refusedDelete = argv.get(1);
        case "stop" -> throw new BreakingDisk.Stopped();
        default -> {}
      }
      return new Outcome.Exited(
          argv.get(0).equals("fail") ? 1 : 0, argv.size() > 1 ? argv.get(1) : "");
    }

    @Override
    public Outcome runAsRoot(List<String> argv) {
      return run(argv);
    }
  }

  private Application application() {
    return new Application(
        state,
        new Saboteur(),
        (sandbox, text, source) -> {
          if (sandbox.equals("mistake")) {
            throw new IllegalStateException("no such case");
          }
          return new TemplateOutput.ProcessFile(sandbox, Map.of());
        },
        disk);
  }

  private Rendered rendered(String... commands) throws IOException, RenderFailed {
    var templates = temp.resolve("templates");
    Trees.write(templates, "t.j2", "new\n");
    Trees.write(
        templates,
        "a.render.yaml",
        "templates: {t: t.j2}\ncommands:\n"
            + String.join("\n", commands).replace("ETC", etc.toString())
            + "\n");
    return new Renderer(Path.of("/")).render(templates, "shop", Map.of());
  }

  private static String copy(String name) {
    return "- !Copy {src: '{{ files.t }}', dest: ETC/" + name + ", mode: 0o640}";
  }

  private ApplyFailed failure(String... commands) throws Exception {
    var rendered = rendered(commands);
    return catchThrowableOfType(ApplyFailed.class, () -> application().apply(rendered, List.of()));
  }

  private String etc() throws IOException {
    return Trees.snapshot(etc).toString().replace("\n", "");
  }

  @Test
  void namesWhatCannotBePutBackAndTriesAgain() throws Exception {
    Trees.mode(Trees.write(etc, "a", "old\n"), 0600);
    Trees.mode(Trees.write(etc, "b", "old\n"), 0600);
    var failed = failure(copy("a"), copy("b"), "- !Cmd [refuse-rename, b]", "- !Cmd [fail]");
    assertThat(failed)
        .hasMessage(
            "a.render.yaml:6:3: !Cmd fail: exit code 1; not every file could be restored,"
                + " which will be tried again: java.io.IOException: no renaming to b");
    assertThat(failed.getSuppressed()).hasSize(1);
    assertThat(failed.getCause()).hasMessage("a.render.yaml:6:3: !Cmd fail: exit code 1");
    assertThat(failed.log()).endsWith("\n" + failed.getMessage() + "\n");
    assertThat(etc()).contains("a=0600 old").contains("b=0640 new");

    assertThat(catchThrowableOfType(ApplyFailed.class, () -> application().recover()))
        .hasMessage(
            "cannot put back the files of an unfinished run: java.io.IOException: no renaming to b");

    disk.refusedRename = "";
    assertThat(application().recover()).containsExactly(etc.resolve("b").toString());
    assertThat(etc()).isEqualTo("{a=0600 old, b=0600 old}");
    assertThat(application().recover()).isEmpty();
  }

  @Test
  void endsWithTheLastLinesOfTheProgram() throws Exception {
    assertThat(failure("- !Cmd [fail, \"1\\n2\\n\\n3\\n4\\n \\n5\\n6\\n\\n\"]"))
        .hasMessage("a.render.yaml:3:3: !Cmd fail: exit code 1: 2\n3\n4\n5\n6");
    assertThat(failure("- !Cmd [fail, \" \"]"))
        .hasMessage("a.render.yaml:3:3: !Cmd fail: exit code 1");
  }

  @Test
  void logsEachFileThatIsPutBack() throws Exception {
    Trees.mode(Trees.write(etc, "a", "old\n"), 0600);
    Trees.mode(Trees.write(etc, "equal", "new\n"), 0640);
    var failed = failure(copy("a"), copy("equal"), copy("c"), "- !Cmd [fail]");
    assertThat(failed.log())
        .endsWith(
            "failed: a.render.yaml:6:3: !Cmd fail: exit code 1\n%1$s/a: put back\n%1$s/c: put back\n"
                .formatted(etc));
    assertThat(etc()).isEqualTo("{a=0600 old, equal=0640 new}");
  }

  @Test
  void undoesEverythingAfterBug() throws Exception {
    var failed = failure(copy("a"), "- !Cmd [lithos_switch, mistake, '{{ files.t }}']");
    assertThat(failed)
        .hasMessage(
            "failed because of a bug in verwalter: java.lang.IllegalStateException: no such case")
        .hasCauseInstanceOf(IllegalStateException.class);
    assertThat(etc()).isEqualTo("{}");
    assertThat(application().recover()).isEmpty();
  }

  @Test
  void undoesEverythingIfCommitFails() throws Exception {
    var failed = failure(copy("a"), "- !Cmd [refuse-record, written]");
    assertThat(failed).hasMessage("cannot finish: java.io.IOException: no record of written");
    assertThat(etc()).isEqualTo("{}");
  }

  @Test
  void keepsNewFilesIfOnlyCleanupFails() throws Exception {
    Trees.write(etc, "a", "old\n".repeat(20_000));
    var applied =
        application().apply(rendered(copy("a"), "- !Cmd [refuse-delete, old.0.0]"), List.of());
    application().settle();
    assertThat(applied.changed()).isTrue();
    assertThat(etc()).isEqualTo("{a=0640 new}");
    assertThat(Trees.snapshot(state)).containsOnlyKeys("undo/journal", "undo/old.0.0", "written");
    assertThat(catchThrowableOfType(ApplyFailed.class, () -> application().recover())).isNotNull();
    disk.refusedDelete = "";
    assertThat(application().recover()).isEmpty();
    assertThat(Trees.snapshot(state)).containsOnlyKeys("undo/journal", "written");
  }

  @Test
  void failsIfTheStageCannotBeEmptied() throws Exception {
    assertThat(failure("- !Cmd [fail]")).isNotNull();
    disk.refusedDelete = "1.t";
    assertThat(failure("- !Cmd [never]"))
        .hasMessage("cannot stage the rendered files: java.io.IOException: no deleting of 1.t");
    assertThat(ran).containsExactly("fail");
  }

  @Test
  void writesStageOnlyForProgramsAndAfterFailure() throws Exception {
    application().apply(rendered(copy("a")), List.of());
    assertThat(state.resolve("stage")).as("no program reads it").doesNotExist();
    assertThat(failure(copy("none/a"))).isNotNull();
    assertThat(Trees.snapshot(state)).containsEntry("stage/1.t", "0600 new\n");
  }

  @Test
  void succeedsIfStageCannotBeEmptiedAtEnd() throws Exception {
    assertThat(application().apply(rendered(copy("a"), "- !Cmd [refuse-delete, 1.t]"), List.of()))
        .isNotNull();
    assertThat(etc()).isEqualTo("{a=0640 new}");
  }

  @Test
  void failsIfRecordOfWrittenFilesIsCorrupt() throws Exception {
    application().apply(rendered(copy("a")), List.of());
    application().settle();
    Files.writeString(state.resolve("written"), "[{");
    assertThat(failure("- !Cmd [never]"))
        .hasMessageStartingWith("cannot read the list of written files: ")
        .hasMessageContaining(
            state + "/written is broken; remove it, and look for files that the role no longer");
    assertThat(ran).isEmpty();
  }

  @Test
  void writesTwoRecordsForAllFilesKnownBefore() throws Exception {
    var first = application().apply(rendered(copy("a"), copy("b")), List.of());
    assertThat(disk.records).isEqualTo(2);

    disk.records = 0;
    application().apply(rendered(copy("c"), copy("d"), "- !Cmd [reload]"), first.files());
    assertThat(disk.records).isEqualTo(2);
    assertThat(etc()).isEqualTo("{c=0640 new, d=0640 new}");

    disk.records = 0;
    application().apply(rendered(copy("c"), copy("d"), "- !Cmd [reload]"), List.of());
    assertThat(disk.records).isEqualTo(0);
  }

  @Test
  void restoresTheTreeBeforeTheNextRunStarts() throws Exception {
    Trees.mode(Trees.write(etc, "a", "old\n"), 0600);
    var stopping = rendered(copy("a"), "- !Cmd [stop]");
    assertThat(
            catchThrowableOfType(
                BreakingDisk.Stopped.class, () -> application().apply(stopping, List.of())))
        .isNotNull();
    assertThat(etc()).isEqualTo("{a=0640 new}");
    var applied = application().remove(List.of());
    assertThat(applied.changed()).isFalse();
    assertThat(applied.log()).isEqualTo(etc + "/a: put back after an unfinished run\n");
    assertThat(etc()).isEqualTo("{a=0600 old}");
  }

  @Test
  void ignoresRecordThatWasCutShort() throws Exception {
    disk.refusedRecord = "files";
    assertThat(failure(copy("a"))).hasMessageContaining("no record of files");
    assertThat(etc()).isEqualTo("{}");
    disk.refusedRecord = "nothing";
    assertThat(application().recover()).isEmpty();
    assertThat(application().apply(rendered(copy("a")), List.of()).changed()).isTrue();
    assertThat(etc()).isEqualTo("{a=0640 new}");
  }

  @Test
  void undoesRunOfVersion010() throws Exception {
    Trees.mode(Trees.write(etc, "a", "new\n"), 0640);
    Trees.write(etc, "b", "new\n");
    Trees.write(
        state,
        "undo/journal",
        """
        [{"path":"ETC/a","content":"b2xkCg==","mode":"0600","user":0,"group":0},{"path":"ETC/b"}]"""
            .replace("ETC", etc.toString()));
    assertThat(application().recover()).contains(etc.resolve("a").toString());
    assertThat(etc()).isEqualTo("{a=0600 old}");
    assertThat(application().recover()).isEmpty();
  }

  @Test
  void reportsTheFirstCommandWhoseDestinationIsWrong() throws Exception {
    assertThat(failure(copy("a"), copy("none/b"), "- !Cmd [never]"))
        .hasMessage(
            "a.render.yaml:4:3: !Copy: the directory %s/none does not exist; create it first"
                .formatted(etc));
    assertThat(ran).isEmpty();
    assertThat(etc()).isEqualTo("{}");
  }

  @Test
  void fileOfMissingDirectoryCountsAsRemoved() throws Exception {
    Files.createDirectories(etc.resolve("sub"));
    var first = application().apply(rendered(copy("sub/a"), copy("b")), List.of());
    Trees.delete(etc.resolve("sub"));
    var second = application().apply(rendered(copy("b")), first.files());
    assertThat(second.changed()).isFalse();
    assertThat(second.log()).contains(etc + "/sub/a: is gone already");
  }

  @Test
  void undoesOnlyItsOwnRun() throws Exception {
    Trees.mode(Trees.write(etc, "a", "old\n"), 0600);
    var application = application();
    var first = application.apply(rendered(copy("a")), List.of());
    var failing = rendered(copy("a"), copy("b"), "- !Cmd [fail]");
    assertThat(
            catchThrowableOfType(
                ApplyFailed.class, () -> application.apply(failing, first.files())))
        .isNotNull();
    assertThat(etc()).isEqualTo("{a=0640 new}");
  }

  @Test
  void syncsTwiceWhateverTheNumberOfFiles() throws Exception {
    application().apply(rendered(copy("a"), copy("b")), List.of());
    application().settle();
    disk.synced.clear();
    disk.records = 0;
    application().apply(rendered(copy("c"), copy("d"), copy("e"), copy("f")), List.of());
    assertThat(disk.records).as("synced when they are written").isEqualTo(2);
    assertThat(disk.synced).isEmpty();
  }

  @Test
  void editsBetweenApplicationAndSettlingStay() throws Exception {
    application().apply(rendered(copy("a")), List.of());
    Trees.write(etc, "a", "edited\n");
    assertThat(application().recover()).as("by the same machine without a restart").isEmpty();
    application().settle();
    assertThat(application().recover()).isEmpty();
    assertThat(etc()).contains("edited");
  }

  @Test
  void settlesLongJournalBeforeNextRun() throws Exception {
    application().apply(rendered(copy("a")), List.of());
    var journal = state.resolve("undo/journal");
    long one = Files.size(journal);
    long most = 0;
    for (int i = 0; i < 20 && Files.size(journal) >= most; i++) {
      most = Files.size(journal);
      Trees.write(etc, "a", "x".repeat(60_000) + i);
      application().apply(rendered(copy("a")), List.of());
    }
    assertThat(most).isBetween(1L << 20, 2L << 20);
    assertThat(Files.size(journal)).isLessThan(one + (100 << 10));
  }

  @Test
  void syncsOnlyTheFilesOfItsOwnRun() throws Exception {
    var application = application();
    var first = application.apply(rendered(copy("a")), List.of());
    application.settle();
    assertThat(disk.synced).contains(etc.resolve("a"));
    disk.synced.clear();
    application.apply(rendered(copy("a"), copy("b")), first.files());
    application.settle();
    assertThat(disk.synced).contains(etc.resolve("b"), etc).doesNotContain(etc.resolve("a"));
  }
}
