package verwalter.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.model.TemplateOutput;

/** Attempts to make a recipe touch files outside the directories that it names. */
@SuppressWarnings("NullAway.Init") // JUnit and the set-up fill the fields
class EscapeTest {
  @TempDir(factory = MemoryDirectory.class)
  Path temp;

  private Path etc;
  private Path precious;
  private int runs;

  @BeforeEach
  void directories() throws Exception {
    etc = Files.createDirectories(temp.toRealPath().resolve("etc"));
    precious = Trees.write(temp.toRealPath(), "outside/precious", "precious\n");
    Trees.mode(precious, 0640);
  }

  /** ETC is the directory for results, and {@code text} is what the only template says. */
  private String apply(String role, String text, String recipe) throws Exception {
    var templates = temp.resolve("templates");
    Trees.write(templates, "t.j2", "{{ text }}");
    Trees.write(
        templates,
        "a.render.yaml",
        "templates: {t: t.j2}\ncommands:\n" + recipe.replace("ETC", etc.toString()));
    var programs = new LocalPrograms(Map.of(), Duration.ofSeconds(10), System::nanoTime);
    var application =
        new Application(
            temp.resolve("state" + runs++),
            programs,
            (sandbox, process, source) -> new TemplateOutput.ProcessFile(sandbox, Map.of()));
    var rendered = new Renderer().render(templates, role, Map.of("text", text));
    var failed =
        catchThrowableOfType(ApplyFailed.class, () -> application.apply(rendered, List.of()));
    assertThat(Trees.snapshot(precious.getParent()))
        .containsExactly(Map.entry("precious", "0640 precious\n"));
    return failed == null ? "applied" : String.valueOf(failed.getMessage());
  }

  private String copy(String role, String dest) throws Exception {
    return apply(role, "mine\n", "- !Copy {dest: '" + dest + "'}\n");
  }

  private String split(String name) throws Exception {
    return split(name, "ETC/(*)");
  }

  private String split(String name, String dest) throws Exception {
    return apply(
        "shop",
        "=== " + name + "\nmine\n",
        "- !SplitText {section: '^=== (.*)$', validate: '', dest: '" + dest + "'}\n");
  }

  private String clean(String role, String pattern) throws Exception {
    return apply(
        role, "", "- !CleanFiles {pattern: '%s', keep-list: '{{ files.t }}'}\n".formatted(pattern));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../outside/precious",
        "x/../../outside/precious",
        "..",
        "/../../outside/precious"
      })
  void aNameThatIsFilledInCannotLeadUp(String role) throws Exception {
    assertThat(copy(role, "ETC/{{ role }}"))
        .containsAnyOf("leads outside " + etc, "is not the absolute path of a file");
    assertThat(copy(role, "ETC/{{ role }}/precious")).contains("leads outside " + etc);
    assertThat(clean(role, "ETC/{{ role }}/(*)")).contains("leads outside " + etc);
    assertThat(Trees.snapshot(etc)).isEmpty();
  }

  @Test
  void aNameThatIsFilledInIsNoPattern() throws Exception {
    Trees.write(etc, "a/victim", "");
    Trees.write(etc, "[*]/own", "");
    assertThat(clean("*", "ETC/{{ role }}/(*)")).isEqualTo("applied");
    assertThat(clean("**", "ETC/{{ role }}/(*)")).isEqualTo("applied");
    assertThat(clean("[a]", "ETC/{{ role }}/(*)")).isEqualTo("applied");
    assertThat(clean("[*]", "ETC/{{ role }}/(*)")).isEqualTo("applied");
    assertThat(Trees.snapshot(etc)).containsOnlyKeys("a/victim");
  }

  @Test
  void whatTheAdministratorWroteMayLeadAnywhere() throws Exception {
    Files.createDirectories(etc.resolve("real"));
    Files.createSymbolicLink(etc.resolve("link"), Path.of("real"));
    assertThat(copy("shop", "ETC/link/../link/{{ role }}")).isEqualTo("applied");
    assertThat(copy("shop", "ETC/link/constant")).isEqualTo("applied");
    assertThat(split("name", "ETC/link/(*)x")).isEqualTo("applied");
    assertThat(Trees.snapshot(etc.resolve("real"))).containsOnlyKeys("shop", "constant", "namex");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../outside/precious",
        "..",
        ".",
        "",
        "/",
        "x/../../outside/precious",
        "/etc/x",
        "sub/x",
        ".hidden",
        "a\\0b"
      })
  void aSectionsNameCannotLeaveItsDirectory(String name) throws Exception {
    Files.createDirectories(etc.resolve("sub"));
    assertThat(split(name.replace("\\0", "\0"))).contains("does not fit into");
    assertThat(Trees.snapshot(etc)).isEmpty();
  }

  @Test
  void noLinkBelowTheDirectoryIsFollowed() throws Exception {
    Files.createSymbolicLink(etc.resolve("shop"), precious.getParent());
    assertThat(copy("shop", "ETC/{{ role }}/precious")).contains("is a link, and below " + etc);
    assertThat(copy("shop", "ETC/{{ role }}/new")).contains("is a link, and below " + etc);
    assertThat(split("shop", "ETC/(*)/precious")).contains("is a link, and below " + etc);
    assertThat(clean("shop", "ETC/{{ role }}/(*)")).isEqualTo("applied");
    assertThat(clean("shop", "ETC/**/(*)us")).isEqualTo("applied");
    assertThat(clean("shop", "ETC/*/(*)")).isEqualTo("applied");
    assertThat(etc.resolve("shop")).isSymbolicLink();
  }

  @Test
  void aLinkInThePlaceOfAFileIsReplaced() throws Exception {
    Files.createSymbolicLink(etc.resolve("a"), precious);
    assertThat(copy("shop", "ETC/a")).isEqualTo("applied");
    Files.createSymbolicLink(etc.resolve("b"), precious);
    assertThat(split("b", "ETC/(b*)")).isEqualTo("applied");
    assertThat(Trees.snapshot(etc))
        .containsEntry("a", "0644 mine\n")
        .containsEntry("b", "0644 mine\n");
    Files.createSymbolicLink(etc.resolve("c"), precious);
    assertThat(clean("shop", "ETC/(c)")).isEqualTo("applied");
    assertThat(etc.resolve("c")).doesNotExist();
  }

  @Test
  void aLinkInThePlaceOfTheTemporaryFileIsNotFollowed() throws Exception {
    var owner = temp.resolve("state0").toAbsolutePath().toString();
    var temporary = new Switch(new LocalDisk(), owner).temporary(etc.resolve("a"));
    Files.createSymbolicLink(temporary, precious);
    assertThat(copy("shop", "ETC/a")).isEqualTo("applied");
    assertThat(Trees.snapshot(etc)).containsExactly(Map.entry("a", "0644 mine\n"));
  }

  @Test
  void aTemporaryFileThatAppearsAtTheLastMomentIsNotWrittenTo() throws Exception {
    var disk = new LocalDisk();
    Files.createSymbolicLink(etc.resolve("tmp"), precious);
    assertThat(
            catchThrowableOfType(
                IOException.class,
                () -> disk.create(etc.resolve("tmp"), Text.bytes("x"), Mode.DEFAULT)))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(Trees.snapshot(precious.getParent())).containsKey("precious");
    assertThat(precious).hasContent("precious");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0600", "0644", "0400", "4711"})
  void aFileHasItsModeBeforeItsFirstByte(String mode) throws Exception {
    var wanted = Mode.octal(mode);
    var file = etc.resolve("f");
    new LocalDisk().create(file, new byte[0], wanted);
    assertThat(Trees.snapshot(etc)).containsExactly(Map.entry("f", wanted + " "));
  }

  @Test
  void aDirectoryThatBecomesALinkAmidAWriteIsNotFollowed() throws Exception {
    Files.createDirectories(etc.resolve("shop"));
    var swapping =
        new StepDisk() {
          private int steps;

          @Override
          void before() {
            try {
              if (steps++ == 2) { // the rename
                Files.move(etc.resolve("shop"), etc.resolve("away"));
                Files.createSymbolicLink(etc.resolve("shop"), precious.getParent());
              }
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          }
        };
    var files = new Switch(swapping, "owner");
    assertThat(
            catchThrowableOfType(
                IOException.class,
                () -> files.write(etc.resolve("shop/precious"), Text.bytes("x"), Mode.DEFAULT)))
        .isNotNull();
    assertThat(precious).hasContent("precious");
  }

  @Test
  void aCrashAndALinkDoNotMakeTheWayBackAWayOut() throws Exception {
    Trees.write(etc, "shop/precious", "mine of old\n");
    var templates = temp.resolve("templates");
    Trees.write(templates, "t.j2", "mine\n");
    Trees.write(
        templates,
        "a.render.yaml",
        "templates: {t: t.j2}\ncommands: [!Copy {dest: '%s/{{ role }}/precious'}, !Cmd [stop]]"
            .formatted(etc));
    ProcessFiles none =
        (sandbox, text, source) -> new TemplateOutput.ProcessFile(sandbox, Map.of());
    var stopping =
        new Programs() {
          @Override
          public Outcome run(List<String> argv) {
            throw new BreakingDisk.Stopped();
          }

          @Override
          public Outcome runAsRoot(List<String> argv) {
            return run(argv);
          }
        };
    var application = new Application(temp.resolve("state"), stopping, none);
    assertThat(
            catchThrowableOfType(
                BreakingDisk.Stopped.class,
                () ->
                    application.apply(
                        new Renderer().render(templates, "shop", Map.of()), List.of())))
        .isNotNull();
    assertThat(etc.resolve("shop/precious")).hasContent("mine");
    Files.move(etc.resolve("shop"), etc.resolve("away"));
    Files.createSymbolicLink(etc.resolve("shop"), precious.getParent());

    assertThat(application.recover()).isEmpty();

    assertThat(precious).hasContent("precious");
    assertThat(Trees.snapshot(precious.getParent())).containsOnlyKeys("precious");
  }

  @Test
  void whatAProgramPutsInTheWayWhileTheRecipeRunsIsSeen() throws Exception {
    var failed =
        apply(
            "shop",
            "mine\n",
            """
            - !Sh mkdir ETC/shop
            - !Copy {dest: "ETC/{{ role }}/a"}
            - !Sh mv ETC/shop ETC/old; ln -s %s ETC/shop
            - !Copy {dest: "ETC/{{ role }}/precious"}
            """
                .formatted(precious.getParent()));
    assertThat(failed).contains("is a link, and below " + etc);
  }
}
