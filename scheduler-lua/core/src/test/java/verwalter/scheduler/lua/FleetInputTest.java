package verwalter.scheduler.lua;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import org.junit.jupiter.api.Test;

class FleetInputTest {
  /** recheck.sh passes that file to PUC Lua. */
  @Test
  void fileHoldsInput() throws Exception {
    var json = JsonMapper.builder().build();
    assertThat(json.readTree(Fleet.text("input.json")))
        .isEqualTo(json.readTree(json.writeValueAsString(Fleet.input())));
  }
}
