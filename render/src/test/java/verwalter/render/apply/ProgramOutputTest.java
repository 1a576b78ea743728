package verwalter.render.apply;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import verwalter.render.Text;

class ProgramOutputTest {
  private static final String HEAD = "h".repeat(ProgramOutput.HEAD);
  private static final String TAIL = "t".repeat(ProgramOutput.TAIL);

  private static String kept(String output) throws IOException {
    var kept = new ProgramOutput();
    kept.drain(new ByteArrayInputStream(Text.bytes(output)));
    return kept.text();
  }

  @Test
  void keepsShortOutputWhole() throws Exception {
    assertThat(kept("")).isEmpty();
    assertThat(kept("a\n\u00e9")).isEqualTo("a\n\u00e9");
    assertThat(kept(HEAD)).isEqualTo(HEAD);
    assertThat(kept(HEAD + "1")).isEqualTo(HEAD + "1");
    assertThat(kept(HEAD + TAIL)).isEqualTo(HEAD + TAIL);
  }

  @Test
  void leavesOutTheMiddle() throws Exception {
    assertThat(kept(HEAD + "1" + TAIL)).isEqualTo(HEAD + "\n... 1 bytes left out ...\n" + TAIL);
    assertThat(kept(HEAD + TAIL + TAIL + "end"))
        .startsWith(HEAD + "\n... 49155 bytes left out ...\ntt")
        .endsWith("tend")
        .hasSize(HEAD.length() + "\n... 49155 bytes left out ...\n".length() + TAIL.length());
  }

  @Test
  void readsALimitedAmountAtOnce() throws Exception {
    var endless = new ByteArrayInputStream(new byte[1 << 20]);
    new ProgramOutput().drain(endless);
    assertThat(endless.available()).isEqualTo(512 << 10);
  }
}
