package verwalter.render.apply;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.model.TemplateOutput;
import verwalter.render.MemoryDirectory;
import verwalter.render.Text;
import verwalter.render.Trees;
import verwalter.render.disk.LocalDisk;
import verwalter.render.recipe.Renderer;

/** The files that belong to the role after a run, and those that are removed. */
@SuppressWarnings("NullAway.Init") // JUnit and the set-up initialize the fields
class RoleFilesTest {
  @TempDir(factory = MemoryDirectory.class)
  Path temp;

  private Path etc;
  private FakePrograms programs;

  @BeforeEach
  void directories() throws IOException {
    etc = Files.createDirectories(temp.toRealPath().resolve("etc"));
    programs = new FakePrograms(new LocalDisk(), temp);
  }

  private Application application() {
    return new Application(
        temp.resolve("state"),
        programs,
        (sandbox, text, source) -> new TemplateOutput.ProcessFile(sandbox, Map.of()));
  }

  private Applied apply(String text, List<TemplateOutput.File> last, String... commands)
      throws Exception {
    var templates = temp.resolve("templates");
    Trees.write(templates, "t.j2", "{{ text }}");
    Trees.write(
        templates,
        "a.render.yaml",
        "templates: {t: t.j2}\ncommands:\n"
            + String.join("\n", commands).replace("ETC", etc.toString())
            + "\n");
    var rendered = new Renderer(Path.of("/")).render(templates, "shop", Map.of("text", text));
    return application().apply(rendered, last);
  }

  private static String copy(String name) {
    return "- !Copy {dest: ETC/" + name + "}";
  }

  /** A copy that is made only when a file of the directory changes. */
  private static String copyIfChanged(String directory, String name) {
    return "- !Condition {dirs-changed: [ETC/%s], commands: [!Copy {dest: ETC/%s}]}"
        .formatted(directory, name);
  }

  /** Each file with the text of its hash, among some texts. */
  private static Map<String, String> described(Applied applied, String... texts) {
    var files = new TreeMap<String, String>();
    for (var file : applied.files()) {
      var text =
          Arrays.stream(texts)
              .filter(each -> Text.sha256(Text.bytes(each)).equals(file.sha256()))
              .findAny();
      files.put(String.valueOf(Path.of(file.path()).getFileName()), text.orElse("?"));
    }
    return files;
  }

  @Test
  void listsFileOfSkippedConditionAsOnDisk() throws Exception {
    Files.createDirectories(etc.resolve("trigger"));
    var recipe = new String[] {copy("trigger/on"), copyIfChanged("trigger", "a")};
    var first = apply("1", List.of(), recipe);
    var second = apply("2", first.files(), recipe);
    assertThat(described(second, "1", "2")).isEqualTo(Map.of("on", "2", "a", "2"));

    // the caller has not stored the second list
    var third = apply("2", first.files(), recipe);
    assertThat(third.changed()).isFalse();
    assertThat(described(third, "1", "2")).isEqualTo(Map.of("on", "2", "a", "2"));
  }

  @Test
  void listsChangedFileOfSkippedConditionAsWritten() throws Exception {
    Files.createDirectories(etc.resolve("trigger"));
    var recipe = new String[] {copy("trigger/on"), copyIfChanged("trigger", "a")};
    var first = apply("1", List.of(), recipe);
    Files.writeString(etc.resolve("a"), "mine");
    assertThat(described(apply("1", first.files(), recipe), "1"))
        .as("changed since")
        .isEqualTo(Map.of("on", "1", "a", "1"));
    Files.delete(etc.resolve("a"));
    assertThat(described(apply("1", first.files(), recipe), "1"))
        .as("removed since")
        .isEqualTo(Map.of("on", "1", "a", "1"));
  }

  @Test
  void keepsFileOfSkippedConditionUnderOtherPath() throws Exception {
    Files.createDirectories(etc.resolve("real"));
    Files.createDirectories(etc.resolve("trigger"));
    Files.createSymbolicLink(etc.resolve("link"), Path.of("real"));
    apply("1", List.of(), copy("trigger/on"), copyIfChanged("trigger", "link/a"));
    var second = apply("2", List.of(), copy("trigger/on"), copyIfChanged("trigger", "real/a"));
    assertThat(second.log()).contains(etc + "/link/a: is gone already");
    var third = apply("2", List.of(), copy("trigger/on"), copyIfChanged("trigger", "real/a"));
    assertThat(Trees.snapshot(etc.resolve("real"))).containsOnlyKeys("a");
    assertThat(described(third, "2")).isEqualTo(Map.of("on", "2", "a", "2"));
  }

  @Test
  void keepsWrittenFileUnderOtherPath() throws Exception {
    Files.createDirectories(etc.resolve("real"));
    Files.createSymbolicLink(etc.resolve("link"), Path.of("real"));
    var first = apply("1", List.of(), copy("link/a"));
    var second = apply("1", first.files(), copy("real/a"), "- !Cmd [reload]");
    assertThat(second.changed()).isFalse();
    assertThat(Trees.snapshot(etc.resolve("real"))).containsOnlyKeys("a");
    assertThat(second.files())
        .extracting(TemplateOutput.File::path)
        .containsExactly(etc + "/real/a");
  }

  @Test
  void removesObsoleteFilesBeforeReloadWithoutWrites() throws Exception {
    var first = apply("1", List.of(), copy("a"));
    var seen = new ArrayList<Boolean>();
    programs.doing(() -> seen.add(Files.exists(etc.resolve("a"))));

    var applied = apply("1", first.files(), "- !Cmd [reload]");

    assertThat(seen).containsExactly(false);
    assertThat(applied.changed()).isTrue();
    assertThat(applied.files()).isEmpty();
  }

  @Test
  void cleanedSectionIsNotRolesFile() throws Exception {
    Files.createDirectories(etc.resolve("d"));
    var applied =
        apply(
            "=a\n=b\n",
            List.of(),
            "- !SplitText {section: '^=(.*)$', validate: '', dest: 'ETC/d/(*)'}",
            "- !CleanFiles {pattern: 'ETC/d/(*)', keep-list: ETC/keep}"
                .replace("ETC/keep", keep()));
    assertThat(applied.files()).extracting(TemplateOutput.File::path).containsExactly(etc + "/d/b");
    assertThat(Trees.snapshot(etc.resolve("d"))).containsOnlyKeys("b");
    assertThat(applied.log())
        .contains("  2 sections, 2 files written\n")
        .contains("  removed " + etc + "/d/a\n");
  }

  private String keep() throws IOException {
    return Trees.write(temp.toRealPath(), "keep", "b\n").toString();
  }

  @Test
  void keepsDirectoryInPlaceOfOldFile() throws Exception {
    var first = apply("1", List.of(), copy("a"), copy("b"));
    Files.delete(etc.resolve("a"));
    Files.createDirectories(etc.resolve("a/x"));
    var second = apply("1", first.files(), copy("b"));
    assertThat(second.log())
        .contains(etc + "/a: no longer produced, but kept: it was changed since\n");
    assertThat(etc.resolve("a/x")).isDirectory();
  }

  @Test
  void aConditionKeepsOnlyItsOwnFiles() throws Exception {
    Files.createDirectories(etc.resolve("trigger"));
    var first = apply("1", List.of(), copy("trigger/on"), copyIfChanged("trigger", "a"), copy("b"));
    var second = apply("1", first.files(), copy("trigger/on"), copyIfChanged("trigger", "a"));
    assertThat(described(second, "1")).isEqualTo(Map.of("on", "1", "a", "1"));
    assertThat(Trees.snapshot(etc)).containsOnlyKeys("a", "trigger/on");
  }

  @Test
  void aConditionListsTheOwnerOfAFileIfItIsKnown() throws Exception {
    Files.createDirectories(etc.resolve("trigger"));
    var recipe = new String[] {copy("trigger/on"), copyIfChanged("trigger", "a")};
    var first = apply("1", List.of(), recipe);
    var withoutOwners =
        first.files().stream()
            .map(
                file ->
                    new TemplateOutput.File(file.path(), file.sha256(), file.mode(), file.size()))
            .toList();
    assertThat(apply("1", withoutOwners, recipe).files()).isEqualTo(first.files());
  }

  @Test
  void removesAFileWhoseDirectoryAProgramReplaces() throws Exception {
    Files.createDirectories(etc.resolve("one"));
    Files.createSymbolicLink(etc.resolve("current"), Path.of("one"));
    var first = apply("1", List.of(), copy("current/a"));
    programs.doing(
        () -> {
          Files.move(etc.resolve("one"), etc.resolve("two"));
          Files.delete(etc.resolve("current"));
          Files.createSymbolicLink(etc.resolve("current"), Path.of("two"));
        });
    var second = apply("1", first.files(), "- !Cmd [release]", copy("b"));
    assertThat(second.log()).contains(etc + "/current/a: removed, no longer produced\n");
    assertThat(Trees.snapshot(etc)).containsOnlyKeys("b", "current");
  }

  @Test
  void aConditionKeepsOnlyTheSectionsOfItsPattern() throws Exception {
    Files.createDirectories(etc.resolve("trigger"));
    Files.createDirectories(etc.resolve("d"));
    var split =
        "- !Condition {dirs-changed: [ETC/trigger], commands: [!SplitText {section: '^=(.*)$',"
            + " validate: '', dest: 'ETC/d/(*).x'}]}";
    var first = apply("=a\n=b\n", List.of(), copy("trigger/on"), split, copy("d/a.y"), copy("c"));
    assertThat(Trees.snapshot(etc)).containsOnlyKeys("c", "d/a.x", "d/a.y", "d/b.x", "trigger/on");
    apply("=a\n=b\n", first.files(), copy("trigger/on"), split);
    assertThat(Trees.snapshot(etc)).containsOnlyKeys("d/a.x", "d/b.x", "trigger/on");
  }
}
