package verwalter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import verwalter.model.Kind;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;

/** {@code vw cordon}, {@code vw uncordon} and {@code vw drain} with a real server. */
class NodePlacementTest {
  private final RealServer server = new RealServer();
  private final Shell shell = new Shell();

  NodePlacementTest() {
    shell.environment.put("VERWALTER_SERVER", server.url());
    server.put(Resource.of(Node.KIND, "n1", new Node.Spec(false)));
    server.put(Resource.of(Node.KIND, "n2", new Node.Spec(false)));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private <S, T> Resource<S, T> object(Kind<S, T> kind, String name) {
    return server.list(kind).stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private Node.Spec node(String name) {
    return object(Node.KIND, name).spec();
  }

  /** Assigns roles to n1, as the scheduler does. */
  private void assign(String... roles) {
    var all = new TreeMap<String, Map<String, Object>>();
    for (var role : roles) {
      all.put(role, Map.of());
    }
    var spec = new NodeSchedule.Spec("hash", all);
    var present =
        server.list(NodeSchedule.KIND).stream().filter(it -> it.name().equals("n1")).findFirst();
    server.put(
        present.map(it -> it.withSpec(spec)).orElse(Resource.of(NodeSchedule.KIND, "n1", spec)));
  }

  /** Reports running processes of web on n1, as the supervisor does. */
  private void running(int count) {
    var present =
        server.list(ProcessGroup.KIND).stream()
            .filter(it -> it.name().equals("web@n1"))
            .findFirst();
    var group =
        present.orElseGet(
            () ->
                server.put(
                    Resource.of(
                        ProcessGroup.KIND,
                        "web@n1",
                        new ProcessGroup.Spec("web", "n1", "web", Map.of()))));
    server.putStatus(
        group.withStatus(new ProcessGroup.Status(1, count, count, List.of(), List.of())));
  }

  @Test
  void cordonsAndUncordonsNodes() {
    assertThat(shell.vw("cordon", "n1", "node/n2")).as(shell.err()).isZero();
    assertThat(shell.out()).isEqualTo("node/n1 cordoned\nnode/n2 cordoned\n");
    assertThat(node("n1")).isEqualTo(new Node.Spec(true));
    assertThat(node("n2")).isEqualTo(new Node.Spec(true));
    assertThat(shell.vw("cordon", "n1")).isZero();
    assertThat(shell.out()).isEqualTo("node/n1 already cordoned\n");
    assertThat(shell.vw("uncordon", "n1")).isZero();
    assertThat(shell.out()).isEqualTo("node/n1 uncordoned\n");
    assertThat(node("n1")).isEqualTo(new Node.Spec(false));
  }

  @Test
  void changesNothingIfANodeDoesNotExist() {
    assertThat(shell.vw("cordon", "n1", "n9")).isEqualTo(1);
    assertThat(shell.err()).isEqualTo("error: there is no node \"n9\"\nlist them: vw get nodes\n");
    assertThat(node("n1")).isEqualTo(new Node.Spec(false));
    assertThat(shell.vw("drain")).isEqualTo(2);
    assertThat(shell.err()).contains("which node? give its name");
  }

  @Test
  void drainsANodeAndShowsTheProgress() {
    assign("web");
    running(2);
    var steps =
        new ArrayList<Runnable>(
            List.of(() -> {}, this::assign, () -> running(1), () -> running(0)));
    shell.onPause(() -> steps.remove(0).run());
    assertThat(shell.vw("drain", "n1")).as(shell.err()).isZero();
    assertThat(shell.out())
        .isEqualTo(
            """
            node/n1 draining
            web@n1: waits for processes elsewhere; 2 run here
            web@n1: stopping; 2 run here
            web@n1: stopping; 1 run here
            web@n1: moved
            node/n1 drained; undo: vw uncordon n1
            """);
    assertThat(node("n1")).isEqualTo(new Node.Spec(true, true));
  }

  @Test
  void saysWhatIsLeftWhenTheTimeIsOver() {
    assign("web");
    running(2);
    assertThat(shell.vw("drain", "n1", "--timeout", "3s")).isEqualTo(Exit.TIMEOUT.code());
    assertThat(shell.err())
        .isEqualTo(
            """
            error: web@n1 is not done after 3 s: waits for processes elsewhere; 2 run here; the drain goes on
            vw why web; undo: vw uncordon n1
            """);
    assertThat(node("n1")).isEqualTo(new Node.Spec(true, true));
  }

  @Test
  void endsWhenTheDrainIsUndone() {
    assign("web");
    shell.onPause(
        () -> {
          var present = object(Node.KIND, "n1");
          server.put(present.withSpec(new Node.Spec(false)));
        });
    assertThat(shell.vw("drain", "n1")).isEqualTo(1);
    assertThat(shell.err()).contains("the drain was undone with vw uncordon");
  }

  @Test
  void canDrainWithoutWaiting() {
    assign("web");
    assertThat(shell.vw("drain", "n1", "--wait=false")).isZero();
    assertThat(shell.pauses).isEmpty();
    assertThat(node("n1")).isEqualTo(new Node.Spec(true, true));
    assertThat(shell.vw("cordon", "n1")).isZero();
    assertThat(node("n1")).isEqualTo(new Node.Spec(true, true));
    assertThat(shell.vw("uncordon", "n1")).isZero();
    assertThat(node("n1")).isEqualTo(new Node.Spec(false));
  }

  @Test
  void showsADrainingNode() {
    shell.vw("drain", "n1", "--wait=false");
    shell.vw("cordon", "n2");
    assertThat(shell.vw("get", "nodes")).isZero();
    assertThat(shell.out()).contains("Unknown,Draining").contains("Unknown,Cordoned");
  }

  @Test
  void completesNodes() {
    assertThat(candidates("drain", "")).containsExactly("n1", "n2");
    assertThat(candidates("uncordon", "n1", "")).containsExactly("n2");
    assertThat(candidates("cor")).contains("cordon\tGive nodes no new processes");
  }

  private List<String> candidates(String... words) {
    var all = new ArrayList<>(List.of(Vw.COMPLETE));
    all.addAll(List.of(words));
    shell.vw(all.toArray(String[]::new));
    return shell.out().lines().toList();
  }
}
