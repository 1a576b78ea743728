package verwalter.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.model.codec.AnyJson;

class RoleConfigTest {
  @ParameterizedTest
  @ValueSource(strings = {"v1", "v0.1.2", "v1.2.3-rc.1", "v9 beta", "v1\nx"})
  void entriesThatStartWithVAndADigitAreVersions(String name) {
    var spec = RoleConfig.Spec.of(Map.of(name, Map.of("a", 1L)));
    assertThat(spec.versions()).containsOnlyKeys(name);
    assertThat(spec.settings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "v", "1", "V1", "version", "v-1", "av1", "processes"})
  void allOtherEntriesAreSettings(String name) {
    var spec = RoleConfig.Spec.of(Map.of(name, Map.of("a", 1L)));
    assertThat(spec.settings()).containsOnlyKeys(name);
    assertThat(spec.versions()).isEmpty();
  }

  @Test
  void aRoleThatIsNotAMappingIsKeptAsItIs() {
    for (Object value : List.of("text", 7L, 1.5, true, List.of(1L))) {
      var spec = RoleConfig.Spec.of(value);
      assertThat(spec.value()).contains(value);
      assertThat(spec.runtime()).isEqualTo(value);
    }
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  boolean runtimeIsTheInverseOfOf(@ForAll("roles") Object role) {
    return RoleConfig.Spec.of(role).runtime().equals(role);
  }

  @Provide
  Arbitrary<Object> roles() {
    var names =
        Arbitraries.oneOf(
            Arbitraries.of("v1", "v2.0", "v10", "v", "daemons", "vx"), AnyJson.texts());
    return Arbitraries.oneOf(
        Arbitraries.maps(names, AnyJson.values(1)).ofMaxSize(6).map(Object.class::cast),
        AnyJson.texts().map(Object.class::cast),
        AnyJson.numbers());
  }
}
