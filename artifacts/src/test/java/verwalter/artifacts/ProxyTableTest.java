package verwalter.artifacts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProxyTableTest {
  @ParameterizedTest
  @CsvSource({
    "http://a.example.org/x, proxy:3128",
    "https://a.example.org/x, secure:80",
    "http://intern/x, ''",
    "http://a.INTERN/x, ''",
    "http://internal/x, proxy:3128",
    "http://b.dot.org/x, ''",
    "http://special:8080/x, ''",
    "http://special/x, proxy:3128",
    "http://[::1]/x, ''",
    "http://10.0.0.1/x, ''"
  })
  void theEnvironmentNamesTheProxy(String url, String proxy) throws ArtifactException {
    var table =
        ProxyTable.of(
            Map.of(
                "http_proxy", "proxy:3128",
                "HTTPS_PROXY", "http://secure",
                "no_proxy", "intern, .dot.org,special:8080 ::1,10.0.0.1"));
    assertThat(table.address(URI.create(url)).map(it -> it.getHostString() + ":" + it.getPort()))
        .isEqualTo(proxy.isEmpty() ? java.util.Optional.empty() : java.util.Optional.of(proxy));
  }

  @Test
  void anEmptyEnvironmentHasNoProxy() throws ArtifactException {
    assertThat(ProxyTable.of(Map.of("http_proxy", "")).address(URI.create("http://a/"))).isEmpty();
    var all = Map.of("http_proxy", "p", "no_proxy", "*");
    assertThat(ProxyTable.of(all).address(URI.create("http://a/"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"socks5://proxy:1", "http://user:hunter2@", "http://a b", "p:99999"})
  void aMalformedProxyIsRefused(String text) {
    assertThatThrownBy(() -> ProxyTable.of(Map.of("https_proxy", text)))
        .hasMessageContaining("https_proxy")
        .isInstanceOfSatisfying(
            ArtifactException.class,
            it -> {
              assertThat(it.reason()).isEqualTo(ArtifactException.Reason.BAD_SETTING);
              assertThat(it.getMessage()).doesNotContain("hunter2");
            });
  }
}
