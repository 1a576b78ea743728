package verwalter.cluster.sides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import verwalter.model.Node;

class MergedForksTest {
  private static final ForkId A = new ForkId(6, "a");
  private static final ForkId B = new ForkId(7, "b");

  @Test
  void isReadAsItWasWritten() {
    var merged =
        new MergedForks(
            new TreeMap<>(Map.of(A, 12L, B, 3L)),
            new TreeSet<>(Set.of(B)),
            new TreeMap<>(Map.of(Node.KIND.key("n.1-x"), new Stamp(A, 9))));
    assertThat(merged.text()).isEqualTo("6.a=12,7.b=3!,~Node/n.1-x=6.a.9");
    assertThat(MergedForks.parse(merged.text())).isEqualTo(merged);
    assertThat(MergedForks.parse("")).isEqualTo(MergedForks.NONE);
  }

  @Test
  void refusesOtherTexts() {
    for (var wrong : new String[] {"6.a", "6=3", "~Node=6.a.9", "x.a=1"}) {
      assertThatThrownBy(() -> MergedForks.parse(wrong))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void coversWritesUpToTheMergedOne() {
    var merged = MergedForks.parse("6.a=12");
    assertThat(merged.covers(new Stamp(A, 12))).isTrue();
    assertThat(merged.covers(new Stamp(A, 13))).isFalse();
    assertThat(merged.covers(new Stamp(B, 1))).isFalse();
  }
}
