package verwalter.supervisor.lithos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Process, container and sandbox files must be accepted and refused as by quire 0.4.1, the parser
 * of lithos. {@code upstream.txt} has its verdicts; to make them again, run the program in {@code
 * src/test/upstream} with this file as its input.
 */
class UpstreamFilesTest {
  /** Files that only lithos's parser accepts: for safety, or since they cannot work. */
  private static final Set<String> REFUSED_HERE =
      Set.of("container: fileno-limit: 0", "process: w: {image: !Name i, config: /c}");

  /** Files that only this parser accepts. */
  private static final Set<String> ACCEPTED_HERE =
      Set.of(
          "container: - z",
          "container: variables: {a: !DottedName }",
          "container: variables: {a: !Name }",
          "container: variables: {a: !TcpPort }");

  /** A file with lithos's verdict. */
  record Case(String kind, String verdict, String text) {
    boolean isAccepted() {
      try {
        switch (kind) {
          case "process" -> ProcessFileText.read(text, "case");
          case "container" -> ContainerConfig.read(text, "case");
          default -> SandboxConfig.read(text, "case", Path.of("/sandboxes"));
        }
        return true;
      } catch (ConfigException refused) {
        return false;
      }
    }

    /** The line that makes it special. */
    String last() {
      var lines = text.lines().toList();
      return kind + ": " + (lines.isEmpty() ? "" : lines.get(lines.size() - 1).strip());
    }
  }

  static Stream<Case> cases() throws IOException {
    try (var file =
        Objects.requireNonNull(UpstreamFilesTest.class.getResourceAsStream("upstream.txt"))) {
      var all = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      return Stream.of(all.split("### ", -1)).skip(1).map(UpstreamFilesTest::parsed);
    }
  }

  private static Case parsed(String text) {
    int end = text.indexOf('\n');
    var words = text.substring(0, end).split(" ", -1);
    return new Case(words[0], words[1], text.substring(end + 1));
  }

  @Test
  void verdictsAgreeExceptForTheKnown() throws IOException {
    var refused = new TreeSet<String>();
    var accepted = new TreeSet<String>();
    var all = cases().toList();
    for (var each : all) {
      if (each.isAccepted() && !each.verdict().equals("accepted")) {
        accepted.add(each.last());
      } else if (!each.isAccepted() && each.verdict().equals("accepted")) {
        refused.add(each.last());
      }
    }
    assertThat(all).hasSizeGreaterThan(140);
    assertThat(refused).as("refused here only").isEqualTo(new TreeSet<>(REFUSED_HERE));
    assertThat(accepted).as("accepted here only").isEqualTo(new TreeSet<>(ACCEPTED_HERE));
  }
}
