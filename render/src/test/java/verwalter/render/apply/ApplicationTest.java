package verwalter.render.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.model.TemplateOutput;
import verwalter.render.Text;
import verwalter.render.Trees;
import verwalter.render.disk.Disk;
import verwalter.render.disk.FileState;
import verwalter.render.disk.Mode;
import verwalter.render.disk.Owners;
import verwalter.render.disk.StepDisk;
import verwalter.render.recipe.Rendered;
import verwalter.render.recipe.Renderer;
import verwalter.render.release.Drift;

@SuppressWarnings("NullAway.Init") // JUnit and the set-up initialize the fields
class ApplicationTest {
  @TempDir Path temp;
  private Path etc;
  private Application application;
  private final Renderer renderer = new Renderer(Path.of("/"));

  @BeforeEach
  void directories() throws IOException {
    etc = Files.createDirectories(temp.resolve("etc"));
    application =
        new Application(
            temp.resolve("state"),
            new LocalPrograms(System.getenv(), Duration.ofSeconds(10), System::nanoTime),
            (sandbox, text, source) -> {
              if (text.contains("bad")) {
                throw new ProcessFiles.Refused("line 1: bad");
              }
              return new TemplateOutput.ProcessFile(sandbox, Map.of());
            });
  }

  /** ETC in the recipe is replaced by the directory for results. */
  private Rendered rendered(String recipe, Object word) throws Exception {
    var templates = temp.resolve("templates");
    Trees.write(templates, "conf.j2", "word {{ word }}\n");
    Trees.write(
        templates,
        "a.render.yaml",
        "templates: {conf: conf.j2}\ncommands:\n" + recipe.replace("ETC", etc.toString()));
    return renderer.render(templates, "shop", Map.of("word", word));
  }

  private Applied apply(String recipe, Object word, Applied... last) throws Exception {
    return application.apply(
        rendered(recipe, word), last.length == 0 ? List.of() : last[0].files());
  }

  private ApplyFailed failure(String recipe, Object word) {
    return catchThrowableOfType(ApplyFailed.class, () -> apply(recipe, word));
  }

  private static final String COPY = "- !Copy {src: '{{ files.conf }}', dest: ETC/conf}\n";

  private static final String SWITCH = "- !RootCommand [lithos_switch, shop, '{{ files.conf }}']\n";

  @Test
  void checkRefusesRenderedProcessFileAndPutsNothingInPlace() throws Exception {
    var conditional = "- !Condition\n  dirs-changed: [ETC]\n  commands:\n  " + SWITCH;
    for (var recipe : List.of(COPY + SWITCH, SWITCH, COPY + conditional)) {
      var failure =
          catchThrowableOfType(ApplyFailed.class, () -> application.check(rendered(recipe, "bad")));
      assertThat(failure)
          .as(recipe)
          .hasMessageContaining("the process file of shop is refused: line 1: bad");
      application.check(rendered(recipe, "good"));
    }
    assertThat(Trees.snapshot(etc)).isEmpty();
  }

  @Test
  void checkLeavesOutProcessFileThatIsNotRendered() throws Exception {
    Trees.write(etc, "other", "bad of the former version\n");

    application.check(rendered(COPY + SWITCH.replace("{{ files.conf }}", "ETC/other"), "x"));

    assertThat(Trees.snapshot(etc)).containsOnlyKeys("other");
  }

  @Test
  void writesRenderedFileReadableForAll() throws Exception {
    var applied = apply(COPY, "x");
    assertThat(Trees.snapshot(etc)).containsExactly(Map.entry("conf", "0644 word x\n"));
    assertThat(applied.changed()).isTrue();
    assertThat(applied.files())
        .containsExactly(
            new TemplateOutput.File(
                etc.resolve("conf").toString(),
                Text.sha256(Text.bytes("word x\n")),
                "0644",
                7,
                Optional.of(Owners.of(etc.resolve("conf")).toString())));
    assertThat(applied.log()).contains("a.render.yaml:3:3: Copy").contains("written, 7 bytes");
  }

  @Test
  void doesNotWriteEqualBytesAgain() throws Exception {
    var first = apply(COPY, "x");
    var inode = Files.getAttribute(etc.resolve("conf"), "unix:ino");
    var again = apply(COPY, "x", first);
    assertThat(again.changed()).isFalse();
    assertThat(again.files()).isEqualTo(first.files());
    assertThat(Files.getAttribute(etc.resolve("conf"), "unix:ino")).isEqualTo(inode);
    assertThat(again.log()).contains("unchanged");
  }

  @Test
  void otherModeIsChange() throws Exception {
    apply(COPY, "x");
    var again = apply("- !Copy {src: '{{ files.conf }}', dest: ETC/conf, mode: 0o4750}\n", "x");
    assertThat(again.changed()).isTrue();
    assertThat(Trees.snapshot(etc)).containsEntry("conf", "4750 word x\n");
  }

  @Test
  void copyOfOtherSourceKeepsMode() throws Exception {
    Trees.mode(Trees.write(etc, "script", "#!/bin/sh\n"), 0750);
    apply("- !Copy {src: ETC/script, dest: ETC/copy}\n", "x");
    assertThat(Trees.snapshot(etc)).containsEntry("copy", "0750 #!/bin/sh\n");
  }

  @Test
  void programsReadStagedFileAndOutputIsLogged() throws Exception {
    var applied =
        apply("- !Sh 'cat {{ files.conf }}; echo {{ role }} $0; id -u; pwd; env | sort'\n", "x");
    assertThat(applied.log()).contains("  | word x\n").contains("  | shop sh\n");
    assertThat(applied.log()).contains("  | /\n").contains("  | PATH=").doesNotContain("JAVA");
    assertThat(applied.changed()).isFalse();
  }

  @Test
  void failingCommandRestoresEveryFile() throws Exception {
    Trees.mode(Trees.write(etc, "conf", "old\n"), 0600);
    var failed =
        failure(
            COPY
                + "- !Copy {src: '{{ files.conf }}', dest: ETC/second}\n"
                + "- !Sh 'cat ETC/conf; echo no such thing; exit 3'\n"
                + "- !Sh 'touch ETC/never'\n",
            "x");
    assertThat(failed)
        .hasMessageStartingWith("a.render.yaml:5:3: !Sh: exit code 3: ")
        .hasMessageContaining("no such thing");
    assertThat(failed.log()).contains("  | word x\n").contains(etc.resolve("conf") + ": put back");
    assertThat(Trees.snapshot(etc)).containsExactly(Map.entry("conf", "0600 old\n"));
    assertThat(Trees.snapshot(temp.resolve("state")))
        .as("the stage stays for reading")
        .containsOnlyKeys("stage/1.conf", "undo/journal");
  }

  @Test
  void missingProgramFails() {
    assertThat(failure("- !Cmd [no-such-program-here]\n", "x"))
        .hasMessageContaining("!Cmd no-such-program-here: exit code 127")
        .hasMessageContaining("no-such-program-here");
  }

  @Test
  void removesObsoleteFilesBeforeReload() throws Exception {
    var first = apply(COPY + "- !Copy {src: '{{ files.conf }}', dest: ETC/other}\n", "x");
    var second = apply(COPY + "- !Sh 'ls ETC'\n", "x", first);
    assertThat(second.changed()).isTrue();
    assertThat(second.log()).contains("other: removed").doesNotContain("  | other");
    assertThat(Trees.snapshot(etc)).containsOnlyKeys("conf");
  }

  @Test
  void keepsObsoleteFileThatWasChanged() throws Exception {
    var first = apply(COPY, "x");
    Files.writeString(etc.resolve("conf"), "mine\n");
    var second = apply("- !Sh 'true'\n", "x", first);
    assertThat(second.changed()).isFalse();
    assertThat(second.files()).isEmpty();
    assertThat(second.log()).contains("kept: it was changed since");
    assertThat(Trees.snapshot(etc)).containsOnlyKeys("conf");
  }

  @Test
  void restoresRemovedFilesAfterFailure() throws Exception {
    var first = apply(COPY, "x");
    assertThat(
            catchThrowableOfType(
                ApplyFailed.class,
                () -> application.apply(rendered("- !Sh 'exit 1'\n", "x"), first.files())))
        .isNotNull();
    assertThat(Trees.snapshot(etc)).containsExactly(Map.entry("conf", "0644 word x\n"));
  }

  @Test
  void restoresOnlyTheFilesOfTheFailedRun() throws Exception {
    var first = apply(COPY, "x");
    var other = COPY.replace("dest: ETC/conf", "dest: ETC/other");
    apply(other, "x", first);
    assertThat(failure(other + "- !Cmd ['/bin/false']\n", "y")).isNotNull();
    assertThat(Trees.snapshot(etc)).containsExactly(Map.entry("other", "0644 word x\n"));
  }

  @Test
  void removesFilesOfRemovedRole() throws Exception {
    var first = apply(COPY, "x");
    var removed = application.remove(first.files());
    assertThat(removed.changed()).isTrue();
    assertThat(removed.files()).isEmpty();
    assertThat(Trees.snapshot(etc)).isEmpty();
    assertThat(application.remove(first.files()).changed()).isFalse();
  }

  @Test
  void lithosSwitchPassesFileOnWithoutRunningProgram() throws Exception {
    var applied =
        apply(
            "- !RootCommand [/usr/bin/lithos_switch, --master, /m.yaml, -v, '{{ role }}', '{{ files.conf }}']\n",
            "x");
    assertThat(applied.processes())
        .containsExactly(new TemplateOutput.ProcessFile("shop", Map.of()));
    assertThat(applied.changed()).isFalse();
  }

  @Test
  void refusedProcessFileFailsRun() throws Exception {
    var failed = failure(COPY + "- !Cmd [lithos_switch, box, '{{ files.conf }}']\n", "bad");
    assertThat(failed).hasMessageContaining("the process file of box is refused: line 1: bad");
    assertThat(Trees.snapshot(etc)).isEmpty();
  }

  @Test
  void replacesLinkWithoutFollowingIt() throws Exception {
    Trees.write(etc, "elsewhere", "precious\n");
    Files.createSymbolicLink(etc.resolve("conf"), etc.resolve("elsewhere"));
    apply(COPY, "x");
    assertThat(Trees.snapshot(etc))
        .containsEntry("conf", "0644 word x\n")
        .hasEntrySatisfying("elsewhere", text -> assertThat(text).endsWith("precious\n"));
  }

  @Test
  void invalidDestinationsFailWithReason() throws Exception {
    Files.createDirectories(etc.resolve("directory"));
    assertThat(failure("- !Copy {src: '{{ files.conf }}', dest: ETC/directory}\n", "x"))
        .hasMessageContaining("is a directory");
    assertThat(failure("- !Copy {src: '{{ files.conf }}', dest: ETC/no/conf}\n", "x"))
        .hasMessageContaining("does not exist; create it first");
    assertThat(failure("- !Copy {src: '{{ files.conf }}', dest: ETC/conf/}\n", "x"))
        .hasMessageContaining("is not the absolute path of a file");
    assertThat(failure("- !Copy {src: ETC/none, dest: ETC/conf}\n", "x"))
        .hasMessageContaining("cannot read the source");
    assertThat(failure("- !Copy {src: /dev/zero, dest: ETC/conf}\n", "x"))
        .hasMessageContaining("not a regular file");
  }

  @Test
  void digestCoversTextsModesAndCommands() throws Exception {
    var digest = rendered(COPY, "x").digest();
    assertThat(rendered(COPY, "x").digest()).isEqualTo(digest);
    assertThat(rendered(COPY, "y").digest()).isNotEqualTo(digest);
    assertThat(rendered(COPY + COPY, "x").digest()).isNotEqualTo(digest);
    assertThat(rendered(COPY.replace("}\n", ", mode: 0o600}\n"), "x").digest())
        .isNotEqualTo(digest);
  }

  @Test
  void removesObsoleteFileThatCallerDidNotStore() throws Exception {
    var first = apply(COPY, "x");
    apply(COPY + "- !Copy {src: '{{ files.conf }}', dest: ETC/more}\n", "y", first);

    // the agent crashed before it stored the second file
    application.remove(first.files());

    assertThat(Trees.snapshot(etc)).isEmpty();
    assertThat(temp.resolve("state").resolve("written")).doesNotExist();
  }

  @Test
  void recordsOwnerThatCommandsSet() throws Exception {
    assumeTrue(Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0), "needs root");
    var applied = apply(COPY + "- !RootCommand [chown, '1000:1001', ETC/conf]\n", "x");
    assertThat(applied.files().get(0).owner()).hasValue("1000:1001");
    assertThat(Drift.of(applied.files(), Optional.empty())).isEmpty();
    Files.setAttribute(etc.resolve("conf"), "unix:uid", 0);
    assertThat(Drift.of(applied.files(), Optional.empty()).get(0).what())
        .isEqualTo("belongs to 0:1001 instead of 1000:1001");
    apply(COPY + "- !RootCommand [chown, '1000:1001', ETC/conf]\n", "x", applied);
    assertThat(Drift.of(applied.files(), Optional.empty())).isEmpty();
  }

  @Test
  void readsRecordOfEarlierVersion() throws Exception {
    apply(COPY, "x");
    application.settle();
    var note = temp.resolve("state/written");
    var text = Files.readString(note);
    assertThat(text).contains(",\"owner\":");
    Files.writeString(note, text.replaceAll(",\"owner\":\"\\d+:\\d+\"", ""));
    assertThat(Files.readString(note)).doesNotContain("owner").endsWith("\"size\":7}]");

    application.remove(List.of());

    assertThat(Trees.snapshot(etc)).isEmpty();
  }

  @Test
  void restoresFileEvenIfOwnerCannotBeRestored() throws Exception {
    var conf = Trees.write(etc, "conf", "theirs\n");
    Trees.mode(conf, 04755);
    var old = new FileState.Regular(Text.bytes("ours\n"), Mode.octal("4755"), new Disk.Owner(7, 8));
    var disk =
        new StepDisk() {
          @Override
          protected void before() {}

          @Override
          public void chown(Path file, Owner owner, Mode mode) throws IOException {
            throw new AccessDeniedException(file.toString());
          }
        };

    assertThat(new Switch(disk, "owner").restore(conf, old)).isTrue();

    assertThat(Trees.snapshot(etc)).containsExactly(Map.entry("conf", "0755 ours\n"));
  }

  @Test
  void restoredFileOfTheAgentIsNotGivenAway() throws Exception {
    var conf = Trees.write(etc, "conf", "new\n");
    var old =
        new FileState.Regular(Text.bytes("old\n"), Mode.octal("4750"), Owners.ofNewFile(conf));
    var disk =
        new StepDisk() {
          @Override
          protected void before() {}

          @Override
          public void chown(Path file, Owner owner, Mode mode) {
            throw new AssertionError("it is ours");
          }
        };

    assertThat(new Switch(disk, "owner").restore(conf, old)).isTrue();

    assertThat(FileState.of(conf)).isEqualTo(old);
  }

  @Test
  void restoredFileNeverRunsWithRightsOfAgent() throws Exception {
    assumeTrue(Owners.self() == 0, "needs root");
    var conf = Trees.write(etc, "conf", "ours\n");
    var old =
        new FileState.Regular(Text.bytes("theirs\n"), Mode.octal("4755"), new Disk.Owner(7, 8));
    var seen = new ArrayList<String>();
    var disk =
        new StepDisk() {
          @Override
          protected void before() {
            try (var files = Files.list(etc)) {
              for (var file : files.toList()) {
                seen.add(FileState.modeOf(file) + " of " + Owners.of(file).user());
              }
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          }
        };

    new Switch(disk, "owner").restore(conf, old);

    assertThat(seen)
        .contains("0755 of " + Owners.self())
        .doesNotContain("4755 of " + Owners.self());
    assertThat(FileState.of(conf)).isEqualTo(old);
  }

  @Test
  void keepsChangedFileUnderAnyPath() throws Exception {
    var first = apply(COPY, "x");
    apply(COPY, "y", first);
    Files.writeString(etc.resolve("conf"), "mine\n");

    application.remove(first.files());

    assertThat(etc.resolve("conf")).hasContent("mine");
  }
}
