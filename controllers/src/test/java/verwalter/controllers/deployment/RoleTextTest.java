package verwalter.controllers.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import verwalter.controllers.deployment.RoleText.Piece;

class RoleTextTest {
  @Test
  void commandsOfOneRecipeAreOnePiece() {
    var pieces =
        RoleText.pieces(
            """
            /etc/x: put back after an unfinished run
            a.render.yaml:3:3: Copy /a /b default mode
              unchanged
            a.render.yaml:4:3: Cmd echo x
              | b.render.yaml:1:1: no command
              | x
            sub/b.render.yml:2:1: PeekLog nginx/error.log
              File position "/var/log/nginx/error.log":120
            /etc/old: removed, no longer produced
            """);
    assertThat(pieces)
        .extracting(Piece::recipe)
        .containsExactly("", "a.render.yaml", "sub/b.render.yml", "");
    assertThat(pieces.get(1).text()).contains("  | b.render.yaml:1:1: no command\n");
    assertThat(pieces.get(2).external())
        .containsExactly(new Pointer.External("nginx/error.log", 120));
  }

  @Test
  void aFailureBelongsToNoRecipe() {
    assertThat(RoleText.pieces("ERROR: Can't render templates: a.render.yaml:1:1: no\n"))
        .containsExactly(
            new Piece(
                "", "ERROR: Can't render templates: a.render.yaml:1:1: no\n", java.util.List.of()));
    assertThat(RoleText.pieces("")).isEmpty();
  }

  @Test
  void whatAProgramSaysIsNoPosition() {
    var pieces = RoleText.pieces("a.render.yaml:3:3: Cmd x\n  | File position \"/a/b\":1\n");
    assertThat(pieces.get(0).external()).isEmpty();
  }
}
