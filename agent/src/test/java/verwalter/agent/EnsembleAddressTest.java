package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnsembleAddressTest {
  @Test
  void hasServersAndPath() {
    var address = EnsembleAddress.of("zookeeper://a:2181,[::1]:2182/teams/verwalter");

    assertThat(address.servers()).isEqualTo("a:2181,[::1]:2182");
    assertThat(address.root()).isEqualTo("/teams/verwalter");
    assertThat(address).hasToString("zookeeper://a:2181,[::1]:2182/teams/verwalter");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "zookeeper://a:2181",
        "zookeeper://a:2181/",
        "zookeeper://a/verwalter",
        "zookeeper://a:2181,/verwalter",
        "zookeeper:///verwalter",
        "zookeeper://a:2181/verwalter/",
        "zookeeper://a:2181/../verwalter",
        "file:///verwalter",
      })
  void refusesWhatIsNoEnsembleWithAPath(String text) {
    assertThatThrownBy(() -> EnsembleAddress.of(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void serversOnOtherMachinesNeedConsent() throws Exception {
    var settings = new Settings();
    settings.store = Optional.of("zookeeper://127.0.0.1:2181,localhost:2182/verwalter");
    assertThat(settings.ensemble()).isPresent();
    settings.store = Optional.of("zookeeper://127.0.0.1:2181,10.0.0.1:2181/verwalter");
    assertThatThrownBy(settings::ensemble)
        .isInstanceOf(SetupFailed.class)
        .hasMessageContaining("--insecure");

    settings.insecure = true;

    assertThat(settings.ensemble()).isPresent();
  }
}
