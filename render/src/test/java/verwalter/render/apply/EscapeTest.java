package verwalter.render.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.model.TemplateOutput;
import verwalter.render.MemoryDirectory;
import verwalter.render.Text;
import verwalter.render.Trees;
import verwalter.render.disk.BreakingDisk;
import verwalter.render.disk.Disk;
import verwalter.render.disk.FileState;
import verwalter.render.disk.LocalDisk;
import verwalter.render.disk.Mode;
import verwalter.render.disk.Owners;
import verwalter.render.disk.SafePathWalker;
import verwalter.render.disk.StepDisk;
import verwalter.render.recipe.Renderer;

/** Attempts to make a recipe touch files outside the directories that it names. */
@SuppressWarnings("NullAway.Init") // JUnit and the set-up initialize the fields
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

  /**
   * ETC is replaced by the directory for results; {@code text} is the content of the only template.
   */
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
    var rendered = new Renderer(Path.of("/")).render(templates, role, Map.of("text", text));
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
  void substitutedNameCannotLeadOutOfDirectory(String role) throws Exception {
    assertThat(copy(role, "ETC/{{ role }}"))
        .containsAnyOf("leads outside " + etc, "is not the absolute path of a file");
    assertThat(copy(role, "ETC/{{ role }}/precious")).contains("leads outside " + etc);
    assertThat(clean(role, "ETC/{{ role }}/(*)")).contains("leads outside " + etc);
    assertThat(Trees.snapshot(etc)).isEmpty();
  }

  @Test
  void substitutedNameIsNoPattern() throws Exception {
    Trees.write(etc, "a/victim", "");
    Trees.write(etc, "[*]/own", "");
    assertThat(clean("*", "ETC/{{ role }}/(*)")).isEqualTo("applied");
    assertThat(clean("**", "ETC/{{ role }}/(*)")).isEqualTo("applied");
    assertThat(clean("[a]", "ETC/{{ role }}/(*)")).isEqualTo("applied");
    assertThat(clean("[*]", "ETC/{{ role }}/(*)")).isEqualTo("applied");
    assertThat(Trees.snapshot(etc)).containsOnlyKeys("a/victim");
  }

  @Test
  void literalPathMayLeadAnywhere() throws Exception {
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
  void sectionNameCannotLeadOutOfDirectory(String name) throws Exception {
    Files.createDirectories(etc.resolve("sub"));
    assertThat(split(name.replace("\\0", "\0"))).contains("does not fit into");
    assertThat(Trees.snapshot(etc)).isEmpty();
  }

  @Test
  void followsNoLinkBelowDirectory() throws Exception {
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
  void replacesLinkInPlaceOfFile() throws Exception {
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
  void doesNotFollowLinkInPlaceOfTemporaryFile() throws Exception {
    var owner = temp.resolve("state0").toAbsolutePath().toString();
    var temporary = new Switch(new LocalDisk(), owner).temporary(etc.resolve("a"));
    Files.createSymbolicLink(temporary, precious);
    assertThat(copy("shop", "ETC/a")).isEqualTo("applied");
    assertThat(Trees.snapshot(etc)).containsExactly(Map.entry("a", "0644 mine\n"));
  }

  @Test
  void doesNotWriteToTemporaryFileCreatedByOthers() throws Exception {
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
  void setsModeBeforeFirstByte(String mode) throws Exception {
    var wanted = Mode.octal(mode);
    var file = etc.resolve("f");
    new LocalDisk().create(file, new byte[0], wanted);
    assertThat(Trees.snapshot(etc)).containsExactly(Map.entry("f", wanted + " "));
  }

  @Test
  void doesNotReadFileThroughLink() throws Exception {
    var secret = Files.writeString(temp.resolve("secret"), "secret");
    var link = Files.createSymbolicLink(temp.resolve("link"), secret);

    assertThat(catchThrowableOfType(IOException.class, () -> FileState.content(link))).isNotNull();
  }

  /** Replaces a directory by a link to another directory right before a step. */
  private final class Swapping extends StepDisk {
    private int left;
    private boolean swapped;

    Swapping(int left) {
      this.left = left;
    }

    @Override
    protected void before() {
      if (left-- == 0) {
        swapped = true;
        try {
          Files.move(etc.resolve("shop"), etc.resolve("away"));
          Files.createSymbolicLink(etc.resolve("shop"), precious.getParent());
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  /** The operation under attack. */
  private interface Attacked {
    void on(Switch files) throws IOException;
  }

  private Stream<Attacked> attacked() {
    var file = etc.resolve("shop/precious");
    var owner = new Disk.Owner(7, 8);
    return Stream.of(
        files -> files.write(file, Text.bytes("mine\n"), Mode.DEFAULT),
        files -> files.write(file, Text.bytes("mine\n"), Mode.octal("4755")),
        files -> files.remove(file),
        files -> files.restore(file, new FileState.Absent()),
        files -> files.restore(file, new FileState.Link(Path.of("x"))),
        files ->
            files.restore(
                file, new FileState.Regular(Text.bytes("old\n"), Mode.octal("0640"), owner)),
        files -> files.sync(List.of(file)));
  }

  /** Once on a machine whose directories are all trusted, once with a directory of another user. */
  @ParameterizedTest
  @ValueSource(ints = {0, 12345})
  void doesNotFollowDirectoryReplacedByLinkBeforeAnyStep(int user) throws Exception {
    assumeTrue(Owners.self() == 0, "needs root");
    var before = Trees.snapshot(precious.getParent());
    int steps = 0;
    int refused = 0;
    for (var attacked : attacked().toList()) {
      for (int at = 0; ; at++) {
        Trees.delete(etc);
        Trees.write(etc, "shop/precious", "theirs\n");
        Files.setAttribute(etc, "unix:uid", user);
        Files.setAttribute(etc.resolve("shop"), "unix:uid", user);
        var disk = new Swapping(at);
        var failed =
            catchThrowableOfType(IOException.class, () -> attacked.on(new Switch(disk, "owner")));
        assertThat(Trees.snapshot(precious.getParent())).as("step %s", at).isEqualTo(before);
        if (!disk.swapped) {
          assertThat(failed).isNull();
          break;
        }
        if (failed != null) {
          assertThat(failed).hasMessageStartingWith(etc.resolve("shop").toString());
          refused++;
        }
        steps++;
      }
    }
    assertThat(steps).isGreaterThan(20);
    assertThat(refused).isGreaterThan(10);
  }

  @Test
  void openDirectoryStaysTheSameAfterRename() throws Exception {
    assumeTrue(Owners.self() == 0, "needs root");
    Files.createDirectories(etc.resolve("shop"));
    Files.setAttribute(etc, "unix:uid", 12345);
    try (var directory = SafePathWalker.into(etc.resolve("shop"))) {
      new Swapping(0).before();
      directory.deleteFile(Files.createFile(etc.resolve("away/precious")).getFileName());
    }
    assertThat(etc.resolve("away/precious")).doesNotExist();
    assertThat(precious).hasContent("precious");
  }

  /** Opening a pipe for reading blocks until another process writes. */
  @ParameterizedTest
  @ValueSource(ints = {0, 12345})
  @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void pipeInPlaceOfDirectoryDoesNotBlock(int user) throws Exception {
    assumeTrue(Owners.self() == 0, "needs root");
    Files.setAttribute(etc, "unix:uid", user);
    new ProcessBuilder("mkfifo", etc.resolve("shop").toString()).start().waitFor();
    assertThat(
            catchThrowableOfType(
                IOException.class, () -> new LocalDisk().delete(etc.resolve("shop/x"))))
        .isInstanceOf(NotDirectoryException.class);
  }

  @Test
  void stateDirectoryMayBeReachedThroughLinks() throws Exception {
    Files.createDirectories(temp.resolve("elsewhere"));
    Files.createSymbolicLink(temp.resolve("state0"), temp.resolve("elsewhere"));
    assertThat(copy("shop", "ETC/a")).isEqualTo("applied");
    assertThat(Trees.snapshot(temp.resolve("elsewhere"))).containsOnlyKeys("undo/journal");
  }

  @Test
  void rollbackAfterCrashDoesNotFollowLinks() throws Exception {
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
                        new Renderer(Path.of("/")).render(templates, "shop", Map.of()), List.of())))
        .isNotNull();
    assertThat(etc.resolve("shop/precious")).hasContent("mine");
    Files.move(etc.resolve("shop"), etc.resolve("away"));
    Files.createSymbolicLink(etc.resolve("shop"), precious.getParent());

    assertThat(application.recover()).isEmpty();

    assertThat(precious).hasContent("precious");
    assertThat(Trees.snapshot(precious.getParent())).containsOnlyKeys("precious");
  }

  @Test
  void detectsLinkCreatedByProgramOfRecipe() throws Exception {
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
