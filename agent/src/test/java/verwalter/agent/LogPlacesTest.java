package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.cluster.joining.StoredState;
import verwalter.cluster.zookeeper.Elector;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Node;
import verwalter.model.Resource;

class LogPlacesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final LogPlaces.Wanted THREE = new LogPlaces.Wanted(3, Duration.ofMinutes(10));

  private static Resource<Node.Spec, Node.Status> node(int number, boolean ready, Duration since) {
    return node(number, ready, since, "127.0.0.%d:1".formatted(number));
  }

  private static Resource<Node.Spec, Node.Status> node(
      int number, boolean ready, Duration since, String address) {
    var node = Resource.<Node.Spec, Node.Status>of(Node.KIND, "n" + number, new Node.Spec(false));
    var truth = ready ? Condition.Truth.TRUE : Condition.Truth.UNKNOWN;
    return node.withMeta(node.meta().adding(Node.MEMBER))
        .withStatus(
            new Node.Status(
                0,
                List.of("127.0.0.%d:1".formatted(number)),
                Map.of(Node.MACHINE_ID, "%032x".formatted(number), StoredState.ADDRESSES, address),
                new Node.Capacity(1, 1),
                Optional.empty(),
                new Node.Roles(0, 0, 0),
                List.of(
                    new Condition(
                        ConditionType.READY.title(), truth, "Test", "", 0, NOW.minus(since)))));
  }

  private static Resource<Node.Spec, Node.Status> server(int number) {
    return server(number, true, Duration.ofHours(1));
  }

  private static Resource<Node.Spec, Node.Status> server(
      int number, boolean ready, Duration since) {
    return new ElectorPlace(new Elector(number, "127.0.0." + number, 9), false)
        .in(node(number, ready, since));
  }

  private static Resource<Node.Spec, Node.Status> observer(int number) {
    return node(number, true, Duration.ofHours(1));
  }

  private static List<Resource<Node.Spec, Node.Status>> servers(int count) {
    var all = new ArrayList<Resource<Node.Spec, Node.Status>>();
    for (int i = 1; i <= count; i++) {
      all.add(server(i));
    }
    return all;
  }

  private static Optional<String> promoted(List<Resource<Node.Spec, Node.Status>> nodes) {
    return LogPlaces.promoted(nodes, THREE, NOW).map(Resource::name);
  }

  @Test
  void twoServersMoreThanElectorsAreEnough() {
    var nodes = servers(5);
    nodes.add(observer(6));
    assertThat(promoted(nodes)).isEmpty();
  }

  @Test
  void anObserverTakesThePlaceOfAServerThatWasRemoved() {
    var nodes = servers(4);
    nodes.add(observer(7));
    nodes.add(observer(6));
    assertThat(promoted(nodes)).contains("n6");
  }

  @Test
  void aServerThatIsLostForShortStillCounts() {
    var nodes = servers(4);
    nodes.add(server(5, false, Duration.ofMinutes(9)));
    nodes.add(observer(6));
    assertThat(promoted(nodes)).isEmpty();
  }

  @Test
  void aServerThatIsLostForLongDoesNotCount() {
    var nodes = servers(4);
    nodes.add(server(5, false, Duration.ofMinutes(10)));
    nodes.add(observer(6));
    assertThat(promoted(nodes)).contains("n6");
  }

  @Test
  void anObserverThatDoesNotAnswerIsNotPromoted() {
    var nodes = servers(4);
    nodes.add(node(6, false, Duration.ofMinutes(1)));
    assertThat(promoted(nodes)).isEmpty();
  }

  @Test
  void anObserverWithoutAnAddressIsPassedOver() {
    var nodes = servers(4);
    nodes.add(node(6, true, Duration.ofHours(1), "127.0.0.6:99999"));
    nodes.add(observer(7));
    assertThat(promoted(nodes)).contains("n7");
  }

  @Test
  void moreElectorsNeedMoreServers() {
    var nodes = servers(5);
    nodes.add(observer(6));
    var five = new LogPlaces.Wanted(5, THREE.replaceAfter());
    assertThat(LogPlaces.promoted(nodes, five, NOW).map(Resource::name)).contains("n6");
  }
}
