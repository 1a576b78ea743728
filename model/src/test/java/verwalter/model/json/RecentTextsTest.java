package verwalter.model.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecentTextsTest {
  @Test
  void returnsTheTextThatWasReadBefore() {
    var first = RecentTexts.shared(copy("role-of-this-test"));
    assertThat(RecentTexts.shared(copy("role-of-this-test"))).isSameAs(first);
  }

  @Test
  void returnsEqualTextsWhenHashesCollide() {
    for (var text : new String[] {"AaAa", "BBBB", "AaBB", "BBAa", "AaAa", "", "BBBB"}) {
      assertThat(RecentTexts.shared(copy(text))).isEqualTo(text);
    }
  }

  @Test
  void keepsNoLongText() {
    var text = "x".repeat(65);
    assertThat(RecentTexts.shared(text)).isSameAs(text);
    var other = copy(text);
    assertThat(RecentTexts.shared(other)).isSameAs(other);
  }

  private static String copy(String text) {
    return String.valueOf(text.toCharArray());
  }
}
