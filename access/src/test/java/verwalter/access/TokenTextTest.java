package verwalter.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.model.AccessToken;

class TokenTextTest {
  private static final Instant NOW = Instant.parse("2026-11-01T00:00:00Z");

  @ParameterizedTest
  @ValueSource(strings = {"ada", "a_b", "ada.laptop-1@x"})
  void readsBack(String name) {
    for (int seed = 0; seed < 100; seed++) {
      var token = TokenText.create(name, new Random(seed));
      assertThat(TokenText.parse(token.text())).contains(token);
      assertThat(token.toString()).doesNotContain(token.secret());
      assertThat(token.hash()).hasSize(64).doesNotContain(token.secret());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "vwt_",
        "vwt_a_b",
        "Bearer x",
        "vwt__aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      })
  void refusesOtherText(String text) {
    assertThat(TokenText.parse(text)).isEmpty();
  }

  @Test
  void isOfATokenWithTheSameHashUntilItExpires() {
    var token = TokenText.create("ada", new Random(1));
    var other = TokenText.create("ada", new Random(2));
    var object = new AccessToken.Spec("ada", List.of(), token.hash(), NOW.plusSeconds(1));
    assertThat(token.isOf(object, NOW)).isTrue();
    assertThat(token.isOf(object, NOW.plusSeconds(1))).isFalse();
    assertThat(other.isOf(object, NOW)).isFalse();
    var empty = new AccessToken.Spec("ada", List.of(), "", NOW.plusSeconds(1));
    assertThat(token.isOf(empty, NOW)).isFalse();
  }
}
