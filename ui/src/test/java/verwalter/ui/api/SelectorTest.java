package verwalter.ui.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.model.Metadata;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.ui.http.RequestProblem;

final class SelectorTest {
  private static final Resource<Node.Spec, Node.Status> NODE =
      Resource.of(Node.KIND, "alpha", new Node.Spec(false))
          .withMeta(Metadata.named("alpha").withLabels(Map.of("zone", "a", "empty", "")));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "zone=a|true",
        "zone==a|true",
        "zone = a|true",
        "zone=b|false",
        "zone!=a|false",
        "zone!=b|true",
        "rack!=b|true",
        "rack=|false",
        "empty=|true",
        "zone|true",
        "rack|false",
        "!zone|false",
        "!rack|true",
        "zone in (a, b)|true",
        "zone in (b,c)|false",
        "zone notin (b)|true",
        "rack notin (b)|true",
        "rack in (b)|false",
        "zone=a,!rack|true",
        "zone=a,rack|false",
        "zone in (a,b),empty|true"
      })
  void labelSelectorsMatchAsInKubernetes(String selector, boolean matches) {
    assertThat(Selector.of(Node.KIND, selector, null).test(NODE)).isEqualTo(matches);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a=b=c", "a in b", "a in (b", "=a", "a,,b", "(a)", "a in (b) c"})
  void refusesInvalidSelectors(String selector) {
    assertThatExceptionOfType(RequestProblem.class)
        .isThrownBy(() -> Selector.of(Node.KIND, selector, null));
  }

  @ParameterizedTest
  @CsvSource({
    "metadata.name=alpha,true",
    "metadata.name!=alpha,false",
    "spec.cordoned=false,true",
    "spec.cordoned!=false,false",
    "status.capacity.cpus=8,false"
  })
  void fieldSelectorsMatchEveryField(String selector, boolean matches) {
    assertThat(Selector.of(Node.KIND, null, selector).test(NODE)).isEqualTo(matches);
  }
}
