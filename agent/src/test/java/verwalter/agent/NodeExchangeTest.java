package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import verwalter.cluster.joining.StoredState;
import verwalter.concurrent.testkit.ContextLoop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.model.json.Json;
import verwalter.stores.engine.MemoryStore;

/** What other nodes say of themselves counts; what they say of others does not. */
class NodeExchangeTest {
  private final VirtualWorld world = new VirtualWorld(1);
  private final MemoryStore store = new MemoryStore(world.clock(), world.uids());
  private final Vertx vertx = Vertx.vertx();
  private final NodeExchange exchange =
      new NodeExchange(vertx.createHttpClient(), new ContextLoop(vertx), store, "n1");

  @AfterEach
  void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  /** Starts a node that answers each request with this. */
  private void node(String name, String machine, Map<String, Object> answer) throws Exception {
    int port =
        vertx
            .createHttpServer()
            .requestHandler(request -> request.response().end(Json.canonical(answer)))
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .get(20, TimeUnit.SECONDS)
            .actualPort();
    var status =
        new Node.Status(
            1,
            List.of(),
            Map.of(Node.MACHINE_ID, machine, StoredState.ADDRESSES, "127.0.0.1:" + port),
            new Node.Capacity(1, 1),
            Optional.empty(),
            new Node.Roles(0, 0, 0),
            List.of());
    world.await(store.put(Resource.of(Node.KIND, name, new Node.Spec(false)).withStatus(status)));
  }

  @Test
  void anAnswerCountsForTheMachineThatWasAsked() throws Exception {
    node("n2", "b2", Map.of("b2", 2L, "c3", 33L, "a1", 11L, "d4", 44L));
    node("n3", "c3", Map.of("c3", 3L));

    var answers =
        exchange
            .answers(Map.of())
            .toCompletionStage()
            .toCompletableFuture()
            .get(20, TimeUnit.SECONDS);

    assertThat(answers).isEqualTo(Map.of("b2", 2L, "c3", 3L));
  }

  private static Map<String, Object> metrics(String... nodes) {
    var machines = new ArrayList<Object>();
    var processes = new ArrayList<Object>();
    var endpoints = new ArrayList<Object>();
    for (var node : nodes) {
      machines.add(Map.of("name", node));
      processes.add(Map.of("node", node, "name", "web.0"));
      endpoints.add(Map.of("node", node, "process", "web.0"));
    }
    return Map.of("nodes", machines, "processes", processes, "endpoints", endpoints);
  }

  @Test
  void rowsAboutOtherNodesAreLeftOut() {
    var others = Map.of("n2", metrics("n2", "n1", "n3"), "n3", metrics("n3"), "n4", metrics("n2"));

    var merged = NodeExchange.merged(metrics("n1"), others, List.of("n2", "n3", "n4"));

    metrics("n1", "n2", "n3")
        .forEach((rows, expected) -> assertThat(merged.get(rows)).as(rows).isEqualTo(expected));
  }

  @Test
  void rowsThatAreNoObjectsAreLeftOut() {
    var malformed = Map.<String, Object>of("nodes", List.of("n2", 1L), "processes", "n2");

    var merged = NodeExchange.merged(metrics("n1"), Map.of("n2", malformed), List.of("n2"));

    metrics("n1")
        .forEach((rows, expected) -> assertThat(merged.get(rows)).as(rows).isEqualTo(expected));
  }

  @Test
  void namesNodesThatDidNotAnswer() {
    var own =
        Map.<String, Object>of("nodes", List.of(Map.of("name", "n1")), "series", List.of("s"));

    var merged = NodeExchange.merged(own, Map.of("n2", metrics("n2")), List.of("n2", "n3"));

    assertThat(merged.get("series")).isEqualTo(List.of("s"));
    assertThat(merged.get("unknown_nodes")).isEqualTo(List.of("n3"));
  }
}
