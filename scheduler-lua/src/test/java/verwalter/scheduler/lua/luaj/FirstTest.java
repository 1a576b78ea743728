package verwalter.scheduler.lua.luaj;

import static org.assertj.core.api.Assertions.assertThat;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.scheduler.lua.*;

class FirstTest {
  @TempDir Path directory;

  @Test
  void aSimpleProgramDecides() throws Exception {
    var decision =
        new Program(directory, new LuajEngine())
            .body("local x = 7 // 2 print('hi', 1/3, x, ('a'):rep(3, ',')) return '{\"now\":' .. input.now .. '}', 'log'")
            .decide(Map.of("now", 1465479290000L));
    assertThat(decision.data()).isEqualTo(Map.of("now", 1465479290000L));
    assertThat(decision.log()).isEqualTo("hi\t0.33333333333333\t3\ta,a,a\nlog");
    System.out.println(decision.instructions());
  }
}
