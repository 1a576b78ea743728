package verwalter.render.apply;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import verwalter.render.LogPiece;

class RunLogTest {
  private final RunLog log = new RunLog();

  @Test
  void recipeIsOnePieceUntilLineOfRun() {
    log.aside("/etc/x: put back");
    log.recipe("a");
    log.line("a:1:1: Sh x");
    log.recipe("a");
    log.output("/etc\nERROR: no");
    log.recipe("b");
    log.aside("/etc/y: removed");
    log.recipe("b");
    log.line("b:2:1: Sh y");
    assertThat(log.pieces())
        .containsExactly(
            LogPiece.ofRun("/etc/x: put back\n"),
            new LogPiece("a", "a:1:1: Sh x\n  | /etc\n  | ERROR: no\n", List.of()),
            new LogPiece("b", "", List.of()),
            LogPiece.ofRun("/etc/y: removed\n"),
            new LogPiece("b", "b:2:1: Sh y\n", List.of()));
  }

  @Test
  void truncatedLogStillNamesRecipesAndExternalLogs() {
    log.recipe("a");
    for (int i = 0; i < 400; i++) {
      log.line("x".repeat(1000));
    }
    log.recipe("b");
    log.line("lost");
    log.externalLog(new LogPiece.ExternalLog("web/log", 7));
    var pieces = log.pieces();
    assertThat(pieces).extracting(LogPiece::recipe).containsExactly("a", "b");
    assertThat(pieces.get(0).text())
        .hasSize((256 << 10) + "\n... the log of this run is cut here\n".length())
        .endsWith("x\n... the log of this run is cut here\n");
    assertThat(pieces.get(1).text()).isEmpty();
    assertThat(pieces.get(1).externalLogs()).hasSize(1);
  }

  @Test
  void aLogOfTheLimitIsWhole() {
    log.line("x".repeat((256 << 10) - 1));
    assertThat(log.pieces()).containsExactly(LogPiece.ofRun("x".repeat((256 << 10) - 1) + "\n"));
  }

  @Test
  void oneCharacterMoreIsCut() {
    log.line("x".repeat((256 << 10) - 1));
    log.line("");
    assertThat(LogPiece.text(log.pieces()))
        .isEqualTo("x".repeat((256 << 10) - 1) + "\n\n... the log of this run is cut here\n");
  }
}
