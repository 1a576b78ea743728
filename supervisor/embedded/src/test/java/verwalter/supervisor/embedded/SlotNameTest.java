package verwalter.supervisor.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlotNameTest {
  @ParameterizedTest
  @ValueSource(strings = {"shop/web.0", "a-b_c/x.y.12", "a/b.999999999"})
  void readsWhatItWrites(String name) {
    assertThat(SlotName.parse(name)).hasToString(name);
  }

  @Test
  void theLastDotSeparatesTheNumber() {
    assertThat(SlotName.parse("shop/web.v2.10")).isEqualTo(new SlotName("shop", "web.v2", 10));
  }

  @Test
  void findsTheSlotOfARun() {
    var slot = new SlotName("shop", "web", 10);
    assertThat(slot.run("m-1")).isEqualTo("shop:web.10:m-1");
    assertThat(SlotName.ofRun("shop:web.10:m-1")).contains(slot);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "shop:web.10",
        "shop:web:m",
        "shop:web.x:m",
        "shop:web.1:",
        "a:b.1:m:n",
        "a:b.1:m/n",
        "a/b.1"
      })
  void ignoresRunsOfOthers(String id) {
    assertThat(SlotName.ofRun(id)).isEmpty();
  }

  @Test
  void sortsByGroupThenProcessThenNumber() {
    assertThat(List.of("b/a.0", "a/web.10", "a/web.2", "a/api.11").stream().sorted(SlotName.ORDER))
        .containsExactly("a/api.11", "a/web.2", "a/web.10", "b/a.0");
  }
}
