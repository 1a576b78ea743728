package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.cluster.zookeeper.Elector;
import verwalter.model.Node;
import verwalter.model.Resource;

class ElectorPlaceTest {
  private static final Resource<Node.Spec, Node.Status> NODE =
      Resource.of(Node.KIND, "n1", new Node.Spec(false));

  @Test
  void isReadAsItWasWritten() {
    var place = new ElectorPlace(new Elector(3, "10.0.0.3", 8381), false);

    assertThat(ElectorPlace.of(place.in(NODE))).contains(place);
    assertThat(ElectorPlace.of(place.voting(true).in(NODE))).contains(place.voting(true));
    assertThat(ElectorPlace.of(NODE)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "1 host", "1 host port", "1 host 8381 leads", "-1 host 8381"})
  void anotherTextIsNoPlace(String text) {
    var meta = NODE.meta().withAnnotations(Map.of("verwalter.io/elector", text));

    assertThat(ElectorPlace.of(NODE.withMeta(meta))).isEmpty();
  }
}
