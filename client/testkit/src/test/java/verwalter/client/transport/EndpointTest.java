package verwalter.client.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTest {
  @ParameterizedTest
  @CsvSource({
    "10.0.0.1, http://10.0.0.1:8379",
    "host:80, http://host:80",
    "http://h, http://h:8379",
    "https://h, https://h:443",
    "http://[::1]:1/, http://[::1]:1",
    "http://h:1/base/, http://h:1/base",
    "unix:/run/verwalter.sock, unix:/run/verwalter.sock",
    "unix:///run/verwalter.sock, unix:/run/verwalter.sock",
    "unix:relative.sock, unix:relative.sock",
  })
  void shortAndFullAddressesAreAccepted(String text, String full) {
    assertThat(Endpoint.of(text)).hasToString(full);
    assertThat(Endpoint.of(full)).isEqualTo(Endpoint.of(text));
  }

  @ParameterizedTest
  @CsvSource({"ftp://h", "''", "http://", "a b", "http://h:port", "unix:", "unix://"})
  void invalidAddressesAreRefused(String text) {
    assertThatThrownBy(() -> Endpoint.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("write http://HOST:PORT");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "/a b", "/a\r\nHost: other", "/ü", ""})
  void aTargetThatIsNotEscapedIsRefused(String target) {
    assertThatThrownBy(() -> Request.of("GET", target, Map.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({"A, 'x\ny'", "'A: b', x", "'', x"})
  void aHeaderThatIsNoLineIsRefused(String name, String value) {
    assertThatThrownBy(() -> Request.of("GET", "/", Map.of(name, value)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
