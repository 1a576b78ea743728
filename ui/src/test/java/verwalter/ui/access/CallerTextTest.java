package verwalter.ui.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.access.Caller;
import verwalter.access.Credential;

class CallerTextTest {
  @ParameterizedTest
  @EnumSource(Credential.class)
  void readsWhatItWrites(Credential credential) {
    var caller = new Caller("a b\r\nX: y", Set.of("verwalter:admin", "g r"), credential);
    var text = CallerText.of(caller);
    assertThat(text).doesNotContain("\r", "\n");
    assertThat(CallerText.parse(text)).isEqualTo(caller);
  }

  @Test
  void callerWithoutGroups() {
    var caller = new Caller("n1", Set.of(), Credential.NODE_CERTIFICATE);
    assertThat(CallerText.parse(CallerText.of(caller))).isEqualTo(caller);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "NONE", "ROOT a", "NONE %"})
  void refusesOtherTexts(String text) {
    assertThatThrownBy(() -> CallerText.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
