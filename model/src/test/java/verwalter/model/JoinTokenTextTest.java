package verwalter.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class JoinTokenTextTest {
  private static final String AUTHORITY = "0123456789abcdef".repeat(4);
  private final JoinTokenText token = JoinTokenText.create(AUTHORITY, new SplittableRandom(1));

  @Test
  void readsItsText() {
    assertThat(JoinTokenText.parse("  " + token.text() + "\n")).isEqualTo(token);
    assertThat(token.text()).startsWith("vwj1.").hasSize(112);
    assertThat(Names.isValid(token.id())).isTrue();
  }

  @Test
  void findsTypingErrors() {
    var text = token.text();
    for (int i = 0; i < text.length(); i++) {
      var other = text.charAt(i) == 'x' ? 'y' : 'x';
      var mistyped = text.substring(0, i) + other + text.substring(i + 1);
      var missing = text.substring(0, i) + text.substring(i + 1);

      assertThatThrownBy(() -> JoinTokenText.parse(mistyped)).hasMessageContaining("token");
      assertThatThrownBy(() -> JoinTokenText.parse(missing)).hasMessageContaining("token");
    }
  }

  @Test
  void doesNotRepeatSecretsInErrorsAndDescriptions() {
    var mistyped = token.text().replace('.', '!');

    assertThat(token.toString()).contains(token.id()).doesNotContain(token.secret());
    assertThatThrownBy(() -> JoinTokenText.parse(mistyped))
        .hasMessage("a join token begins with vwj1.");
  }

  @Test
  void recognizesTheSecretOfAToken() {
    var spec =
        new JoinToken.Spec(
            JoinToken.Purpose.NODE, Optional.empty(), token.hash(), 1, Instant.EPOCH, "tim");

    assertThat(JoinTokenText.isSecret(token.secret(), spec)).isTrue();
    assertThat(JoinTokenText.isSecret(token.secret().substring(1), spec)).isFalse();
    assertThat(spec.toString()).doesNotContain(token.secret());
  }
}
