package verwalter.ui;

import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import verwalter.cluster.ClusterView;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.ContextLoop;
import verwalter.model.Decisions;
import verwalter.model.Event;
import verwalter.model.ProcessGroup;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.engine.MemoryStore;
import verwalter.ui.port.Check;
import verwalter.ui.port.DeploymentHistory;
import verwalter.ui.port.Execution;
import verwalter.ui.port.Ports;
import verwalter.ui.port.Queries;

/** Serves sample objects on 127.0.0.1 and the given port, and changes some now and then. */
final class UiDemo {
  public static void main(String[] arguments) {
    int port = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 8379;
    var vertx = Vertx.vertx();
    var loop = new ContextLoop(vertx);
    var store = new MemoryStore(Clock.systemUTC(), () -> UUID.randomUUID().toString());
    Samples.fill(store, loop.now());
    var server = server(vertx, store, loop, List.of(new Check("store", true, "")));
    server
        .start("127.0.0.1", port)
        .onSuccess(at -> System.out.println("http://127.0.0.1:" + at))
        .onFailure(
            why -> {
              System.err.println(why);
              System.exit(81);
            });
    for (int i = 0; i < (arguments.length > 2 ? Integer.parseInt(arguments[2]) : 0); i++) {
      store.put(Samples.node("node-%04d".formatted(i), loop.now(), i % 100 != 0));
    }
    if (arguments.length < 2 || !arguments[1].equals("still")) {
      live(store, loop, 1);
    }
  }

  static UiServer server(Vertx vertx, ObjectStore store, Loop loop, List<Check> checks) {
    return server(vertx, store, loop, Decisions.NONE, checks, Queries.NONE, DeploymentHistory.NONE);
  }

  static UiServer server(
      Vertx vertx,
      ObjectStore store,
      Loop loop,
      Decisions decisions,
      List<Check> checks,
      Queries queries,
      DeploymentHistory deployments) {
    return server(
        vertx,
        loop,
        Ports.of(store, alone())
            .with(decisions, queries, deployments)
            .monitored(
                () -> checks,
                List::of,
                () -> "# TYPE verwalter_up gauge\nverwalter_up 1\n# EOF\n"));
  }

  static UiServer server(Vertx vertx, Loop loop, Ports ports) {
    return new UiServer(new Execution(vertx, loop, Clock.systemUTC(), new Random(1)), ports);
  }

  static ClusterView alone() {
    var self =
        new ClusterView.Self(
            "alpha",
            "77985419c732412ea38b94db00000001",
            "alpha.example",
            "0.1.0",
            "common",
            Path.of("/etc/verwalter"),
            List.of("127.0.0.1:8379"));
    return new ClusterView() {
      @Override
      public Self self() {
        return self;
      }

      @Override
      public Optional<Member> leader() {
        return Optional.of(new Member(self.id(), self.name(), self.hostname(), Optional.empty()));
      }

      @Override
      public long epoch() {
        return 1;
      }
    };
  }

  private static void live(ObjectStore store, Loop loop, int round) {
    loop.after(
        Duration.ofSeconds(3),
        () -> {
          Instant now = loop.now();
          var name = ProcessGroup.name("shop-worker", "alpha");
          store
              .get(ProcessGroup.KIND, name)
              .ifPresent(
                  old ->
                      store.putStatus(
                          old.withStatus(
                              Samples.group("shop-worker", "alpha", 1, round % 2, 17 + round, now)
                                  .status()
                                  .orElseThrow())));
          if (round % 4 == 0) {
            Samples.event(
                store,
                "RoleInstance",
                "shop-worker@alpha",
                Event.Type.WARNING,
                "ProcessExited",
                "shop-worker/worker.0 ended with code 1 after 2 s",
                17L + round,
                now);
          }
          live(store, loop, round + 1);
        });
  }

  private UiDemo() {}
}
