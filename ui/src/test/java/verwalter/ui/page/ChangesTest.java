package verwalter.ui.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ChangesTest {
  @Test
  void listsEveryDifferingValue() {
    var before =
        Map.<String, Object>of("a", Map.of("x", 1L, "y", List.of()), "b", List.of("p", "q"));
    var after =
        Map.<String, Object>of("a", Map.of("x", 2L, "y", List.of()), "b", List.of("p"), "c", true);
    assertThat(
            Changes.between(before, after).stream().map(it -> (it.added() ? "+" : "-") + it.text()))
        .containsExactly("-a.x = 1", "+a.x = 2", "-b[1] = \"q\"", "+c = true");
    assertThat(Changes.between(after, after)).isEmpty();
  }
}
