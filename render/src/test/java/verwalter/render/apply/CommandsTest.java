package verwalter.render.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.model.TemplateOutput;
import verwalter.render.LogPiece;
import verwalter.render.MemoryDirectory;
import verwalter.render.RenderFailed;
import verwalter.render.Trees;
import verwalter.render.recipe.Rendered;
import verwalter.render.recipe.Renderer;

/** Behaviour of the commands for several files that the golden trees do not cover. */
@SuppressWarnings("NullAway.Init") // JUnit and the set-up initialize the fields
class CommandsTest {
  @TempDir(factory = MemoryDirectory.class)
  Path temp;

  private Path root;
  private Path templates;
  private Application application;

  @BeforeEach
  void directories() throws IOException {
    root = Files.createDirectories(temp.toRealPath().resolve("root"));
    templates = temp.resolve("templates");
    application =
        new Application(
            temp.resolve("state"),
            new LocalPrograms(Map.of(), Duration.ofSeconds(20), System::nanoTime),
            (sandbox, text, source) -> new TemplateOutput.ProcessFile(sandbox, Map.of()));
  }

  private Rendered rendered(String text) throws RenderFailed {
    return new Renderer(root).render(templates, "shop", Map.of("text", text));
  }

  private Applied apply(String text) throws Exception {
    return application.apply(rendered(text), List.of());
  }

  private ApplyFailed failure(String text) {
    return catchThrowableOfType(ApplyFailed.class, () -> apply(text));
  }

  private void recipe(String name, String commands) throws IOException {
    Trees.write(templates, "t.j2", "{{ text }}");
    Trees.write(templates, name, "templates: {t: t.j2}\ncommands:\n" + commands);
  }

  private List<String> paths(Applied applied) {
    return applied.files().stream()
        .map(file -> root.relativize(Path.of(file.path())).toString())
        .toList();
  }

  @Test
  void conditionRunsIfFileIsNoLongerProduced() throws Exception {
    Files.createDirectories(root.resolve("a"));
    Files.createDirectories(root.resolve("b"));
    recipe("b.render.yaml", "- !Copy {dest: '{{ config_dir }}/b/b'}\n");
    var condition =
        "- !Condition {dirs-changed: ['{{ config_dir }}/a'], commands: [!Sh 'ls {{ config_dir }}/a']}\n";
    var copies = "- !Copy {dest: '{{ config_dir }}/a/%s'}\n";
    recipe("a.render.yaml", copies.formatted("1") + copies.formatted("2") + condition);
    assertThat(apply("x").log()).contains("  | 1\n  | 2\n");

    recipe("a.render.yaml", copies.formatted("1") + condition);
    var second = apply("x");
    assertThat(second.log()).contains("a/2: removed, no longer produced").contains("  | 1\n");
    assertThat(second.log()).doesNotContain("  | 2\n");
    assertThat(Trees.snapshot(root)).containsOnlyKeys("a/1", "b/b");
  }

  @Test
  void keepsFilesOfConditionThatDoesNotRun() throws Exception {
    Files.createDirectories(root.resolve("made"));
    recipe(
        "a.render.yaml",
        """
        - !Sh 'mkdir -p {{ config_dir }}/trigger'
        - !Condition
          dirs-changed: ["{{ config_dir }}/trigger"]
          commands:
          - !SplitText {section: "^=(.*)$", validate: "", dest: "{{ config_dir }}/made/(*)"}
        """);
    assertThat(paths(apply("=a\n=b\n"))).containsExactly("made/a", "made/b");
    var second = apply("=c\n");
    assertThat(second.changed()).isFalse();
    assertThat(paths(second)).containsExactly("made/a", "made/b");

    Files.delete(templates.resolve("a.render.yaml"));
    assertThat(apply("").changed()).as("nothing produces them now").isTrue();
    assertThat(Trees.snapshot(root)).isEmpty();
  }

  @Test
  void removesFilesOfRemovedSections() throws Exception {
    recipe(
        "a.render.yaml",
        "- !SplitText {section: '^=(.*)$', validate: '^[a-z]$', dest: '{{ config_dir }}/(*)'}\n");
    assertThat(paths(apply("=a\n1\n=b\n2\n"))).containsExactly("a", "b");
    var inode = Files.getAttribute(root.resolve("a"), "unix:ino");
    var second = apply("=a\n1\n=c\n3\n");
    assertThat(second.log()).contains("2 sections, 1 files written").contains("removed " + root);
    assertThat(paths(second)).containsExactly("a", "c");
    assertThat(Files.getAttribute(root.resolve("a"), "unix:ino")).isEqualTo(inode);
    assertThat(failure("=a\n1\n=B\n"))
        .hasMessageContaining("the section name `B` in line 3 of the source");
    assertThat(failure("x\n=a\n")).hasMessageContaining("line 1 of the source stands before");
    assertThat(Trees.snapshot(root)).containsOnlyKeys("a", "c");
    assertThat(application.remove(List.of()).changed()).isTrue();
    assertThat(Trees.snapshot(root)).isEmpty();
  }

  @Test
  void refusesSourceThatIsNoText() throws Exception {
    Files.write(root.resolve("binary"), new byte[] {'=', 'a', (byte) 0xff});
    recipe(
        "a.render.yaml",
        "- !CleanFiles {pattern: '{{ config_dir }}/(*)', keep-list: '{{ config_dir }}/binary'}\n");
    assertThat(failure("")).hasMessageContaining("binary is not UTF-8");
    recipe(
        "a.render.yaml",
        "- !CleanFiles {pattern: '{{ config_dir }}/(*)', keep-list: '{{ config_dir }}/none'}\n");
    assertThat(failure("")).hasMessageContaining("cannot read the source");
  }

  @Test
  void copiedThenCleanedFileIsNotRolesFile() throws Exception {
    recipe(
        "a.render.yaml",
        """
        - !Copy {dest: "{{ config_dir }}/a.conf"}
        - !Copy {dest: "{{ config_dir }}/b.conf"}
        - !CleanFiles {pattern: "{{ config_dir }}/(*).conf", keep-list: "{{ files.t }}"}
        """);
    assertThat(paths(apply("a\n"))).containsExactly("a.conf");
    assertThat(Trees.snapshot(root)).containsOnlyKeys("a.conf");
  }

  @Test
  void cleanFilesKeepsDirectories() throws Exception {
    Files.createDirectories(root.resolve("x/directory"));
    Trees.write(root, "x/a", "");
    recipe(
        "a.render.yaml",
        "- !CleanFiles {pattern: '{{ config_dir }}/x/(*)', keep-list: '{{ files.t }}'}\n");
    assertThat(failure("")).hasMessageContaining("directory is a directory, which is not removed");
    assertThat(Trees.snapshot(root)).containsOnlyKeys("x/a");
  }

  @Test
  void peekLogRecordsPositions() throws Exception {
    Trees.write(root, "logs/shop/access.log", "12345");
    Trees.write(root, "sandbox/one.yaml", "log-dirs: {web: %s/logs}\n".formatted(root));
    Trees.write(root, "sandbox/sub/two.yml", "log_dirs: {other: /nowhere}\n");
    Trees.write(root, "sandbox/.hidden.yaml", "nonsense: 1\n");
    recipe(
        "a.render.yaml",
        """
        - !PeekLog "web/{{ role }}/access.log"
        - !Condition {dirs-changed: ["{{ config_dir }}/x"], commands: [!PeekLog web/never]}
        - !PeekLog other/x
        - !PeekLog unknown/x
        - !PeekLog web/../../x
        """);
    var applied = apply("");
    assertThat(applied.pieces())
        .flatExtracting(LogPiece::externalLogs)
        .containsExactly(
            new LogPiece.ExternalLog("web/shop/access.log", 5),
            new LogPiece.ExternalLog("other/x", 0));
    assertThat(applied.log()).contains("File position \"" + root + "/logs/shop/access.log\":5\n");
  }

  @Test
  void logHasPieceForEachRecipe() throws Exception {
    Trees.write(root, "logs/access.log", "12345");
    Trees.write(root, "sandbox/one.yaml", "log-dirs: {web: %s/logs}\n".formatted(root));
    recipe(
        "a.render.yaml",
        "- !Sh \"cat <<E\\nb.render.yaml:1:1: x\\n/etc\\nE\"\n- !PeekLog web/access.log\n");
    recipe("c.render.yaml", "- !Sh 'false'\n");
    var pieces = failure("").pieces();
    assertThat(pieces)
        .extracting(LogPiece::recipe)
        .containsExactly("a.render.yaml", "c.render.yaml", "");
    assertThat(pieces.get(0).externalLogs())
        .containsExactly(new LogPiece.ExternalLog("web/access.log", 5));
    assertThat(pieces.get(1).externalLogs()).isEmpty();
    assertThat(pieces.get(2).text()).startsWith("failed: c.render.yaml:3:3: !Sh");
  }

  @Test
  void invalidSandboxFileFailsOnlyRecipesWithPeekLog() throws Exception {
    Trees.write(root, "sandbox/a.yaml", "log-dirs: {web: logs}\n");
    Trees.write(root, "sandbox/b.yaml", "log_dir: {}\n");
    recipe("a.render.yaml", "- !Cmd ['true']\n");
    assertThat(apply("").changed()).isFalse();
    recipe("a.render.yaml", "- !PeekLog web/x\n");
    assertThat(catchThrowableOfType(RenderFailed.class, () -> rendered("")))
        .hasMessage(
            """
            sandbox/a.yaml:1:17: `logs` is not an absolute path
            sandbox/b.yaml:1:1: unknown key `log_dir`; known are log-dirs; did you mean log-dirs?""");
  }

  @Test
  void otherOwnerIsChange() throws Exception {
    assumeTrue(Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0), "needs root");
    recipe("a.render.yaml", "- !Copy {dest: '{{ config_dir }}/a'}\n");
    apply("x\n");
    assertThat(apply("x\n").changed()).isFalse();
    Files.setAttribute(root.resolve("a"), "unix:uid", 12345);
    assertThat(apply("x\n").changed()).isTrue();
    assertThat(Files.getAttribute(root.resolve("a"), "unix:uid")).isEqualTo(0);
    Files.setAttribute(root.resolve("a"), "unix:gid", 12345);
    assertThat(apply("x\n").changed()).isTrue();
    assertThat(Files.getAttribute(root.resolve("a"), "unix:gid")).isEqualTo(0);
  }

  @Test
  void fileInSetGroupIdDirectoryHasItsGroup() throws Exception {
    assumeTrue(Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0), "needs root");
    Files.setAttribute(root, "unix:gid", 12345);
    Trees.mode(root, 02755);
    recipe("a.render.yaml", "- !Copy {dest: '{{ config_dir }}/a'}\n");
    assertThat(apply("x\n").changed()).isTrue();
    assertThat(Files.getAttribute(root.resolve("a"), "unix:gid")).isEqualTo(12345);
    assertThat(apply("x\n").changed()).isFalse();
  }

  @Test
  void digestCoversCommandsInConditions() throws Exception {
    var condition = "- !Condition {dirs-changed: [/%s], commands: [!Cmd [%s]]}\n";
    recipe("a.render.yaml", condition.formatted("a", "a"));
    var digest = rendered("").digest();
    recipe("a.render.yaml", condition.formatted("a", "b"));
    assertThat(rendered("").digest()).isNotEqualTo(digest);
    recipe("a.render.yaml", condition.formatted("b", "a"));
    assertThat(rendered("").digest()).isNotEqualTo(digest);
    recipe("a.render.yaml", "- !Condition {dirs-changed: [/a]}\n- !Cmd [a]\n");
    assertThat(rendered("").digest()).isNotEqualTo(digest);
    assertThat(rendered("").commands()).hasSize(2);
  }

  @Test
  void signatureOfDirectoryDependsOnContent() throws Exception {
    var tree = Files.createDirectories(root.resolve("tree"));
    assertThat(TreeSignature.of(root.resolve("none"))).isEmpty();
    var empty = TreeSignature.of(tree);
    var file = Trees.write(tree, "a/b", "x");
    Trees.mode(file, 0644);
    var one = TreeSignature.of(tree);
    assertThat(one).isPresent().isNotEqualTo(empty);
    Files.setAttribute(file, "unix:lastModifiedTime", FileTime.fromMillis(0));
    Trees.mode(file, 0600);
    assertThat(TreeSignature.of(tree)).as("times and permissions").isEqualTo(one);
    Trees.mode(file, 0700);
    assertThat(TreeSignature.of(tree)).as("executable").isNotEqualTo(one);
    Trees.mode(file, 0644);
    Files.writeString(file, "y");
    assertThat(TreeSignature.of(tree)).as("content").isNotEqualTo(one);
    Files.move(file, tree.resolve("a/c"));
    Files.writeString(tree.resolve("a/c"), "x");
    assertThat(TreeSignature.of(tree)).as("name").isNotEqualTo(one);
    Files.delete(tree.resolve("a/c"));
    Files.createSymbolicLink(tree.resolve("a/b"), Path.of("x"));
    var link = TreeSignature.of(tree);
    assertThat(link).isNotEqualTo(one);
    Files.delete(tree.resolve("a/b"));
    Files.createSymbolicLink(tree.resolve("a/b"), Path.of("y"));
    assertThat(TreeSignature.of(tree)).as("target").isNotEqualTo(link);
    Files.createSymbolicLink(root.resolve("link"), tree);
    assertThat(TreeSignature.of(root.resolve("link"))).isEqualTo(TreeSignature.of(tree));
  }
}
