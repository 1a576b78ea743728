package verwalter.render.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.render.MemoryDirectory;
import verwalter.render.Trees;

/** Two directories have the same signature if and only if their contents are equal. */
@SuppressWarnings("NullAway.Init") // JUnit initializes the field
class TreeSignatureTest {
  @TempDir(factory = MemoryDirectory.class)
  Path temp;

  /** Files by alternating name and text. */
  private Optional<String> of(String tree, String... files) throws IOException {
    var root = Files.createDirectories(temp.resolve(tree));
    for (int i = 0; i < files.length; i += 2) {
      Trees.write(root, files[i], files[i + 1]);
    }
    return TreeSignature.of(root);
  }

  @Test
  void ignoresOrderOfCreation() throws Exception {
    assertThat(of("one", "a", "1", "b", "2", "c", "3"))
        .isPresent()
        .isEqualTo(of("two", "c", "3", "b", "2", "a", "1"))
        .isNotEqualTo(of("three", "a", "3", "b", "2", "c", "1"));
  }

  @Test
  void dependsOnPathOfFile() throws Exception {
    assertThat(of("one", "a/b", "", "c", "")).isNotEqualTo(of("two", "a/b", "", "a/c", ""));
    assertThat(of("three", "a/b", "")).isNotEqualTo(of("four", "c/b", ""));
  }

  @Test
  void distinguishesTextFromOtherFile() throws Exception {
    assertThat(of("one", "a", "", "b", "")).isNotEqualTo(of("two", "a", "4:file1:b"));
  }

  @Test
  void dependsOnLengthOfEachName() throws Exception {
    var one = Files.createDirectories(temp.resolve("one"));
    Files.createSymbolicLink(one.resolve("a"), Path.of("bc"));
    var two = Files.createDirectories(temp.resolve("two"));
    Files.createSymbolicLink(two.resolve("ab"), Path.of("c"));
    assertThat(TreeSignature.of(one)).isNotEqualTo(TreeSignature.of(two));
  }

  @Test
  void readsLargeFileToEnd() throws Exception {
    var text = "0123456789abcdef".repeat(5_000);
    assertThat(of("one", "a", text))
        .isEqualTo(of("two", "a", text))
        .isNotEqualTo(of("three", "a", text.substring(1) + "x"))
        .isNotEqualTo(of("four", "a", text.substring(0, text.length() - 1)));
  }

  @Test
  void doesNotReadPipe() throws Exception {
    var none = of("tree", "a", "1");
    var pipe = temp.resolve("tree/pipe").toString();
    assertThat(new ProcessBuilder("mkfifo", pipe).start().waitFor()).isZero();
    var one =
        assertTimeoutPreemptively(
            Duration.ofSeconds(20), // a guard: reading a pipe blocks until another process writes
            () -> TreeSignature.of(temp.resolve("tree")));
    assertThat(one).isNotEqualTo(none);
    Files.move(temp.resolve("tree/pipe"), temp.resolve("tree/other"));
    assertThat(TreeSignature.of(temp.resolve("tree"))).isNotEqualTo(one);
  }

  @Test
  void acceptsFileInPlaceOfDirectory() throws Exception {
    var file = Trees.write(temp, "file", "1");
    var one = TreeSignature.of(file);
    assertThat(one).isPresent();
    Files.writeString(file, "2");
    assertThat(TreeSignature.of(file)).isNotEqualTo(one);
  }

  @Test
  void refusesTooManyFilesOrBytes() throws Exception {
    var whole = of("tree", "a", "12345", "b/c", "67890");
    var tree = temp.resolve("tree");
    assertThat(TreeSignature.of(tree, 4, 10)).isEqualTo(whole);
    assertThatThrownBy(() -> TreeSignature.of(tree, 3, 10))
        .isInstanceOf(IOException.class)
        .hasMessage("there are more than 3 files");
    assertThatThrownBy(() -> TreeSignature.of(tree, 4, 9))
        .isInstanceOf(IOException.class)
        .hasMessage("there are more than 9 bytes");
  }
}
