package verwalter.controllers.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.ResourceKey;

class RunningControllersTest {
  private final VirtualWorld world = new VirtualWorld(1);
  private final List<String> closed = new ArrayList<>();
  private final RunningControllers controllers = new RunningControllers();

  private Controller.Builder controller(String name) {
    return Controller.named(name, key -> Result.done())
        .from((loop, keys) -> () -> closed.add(name));
  }

  @Test
  void countersIncludeStartedControllersOnly() {
    controllers.start(world.loop("a"), controller("a"));
    assertThat(controllers.counters()).isEmpty();

    world.runFor(Duration.ofSeconds(1));
    assertThat(controllers.counters())
        .extracting(Counters.Snapshot::controller)
        .containsExactly("a");
  }

  @Test
  void controllersStopInReverseOrder() {
    var loop = world.loop("all");
    controllers.start(loop, controller("a"));
    controllers.start(loop, controller("b"));
    world.runFor(Duration.ofSeconds(1));

    controllers.close();
    world.runFor(Duration.ofSeconds(1));
    assertThat(closed).containsExactly("b", "a");
    assertThat(controllers.counters()).isEmpty();
  }

  @Test
  void stoppingWaitsForWhatIsUnderWay() {
    var slow = Promise.<Result>promise();
    var loop = world.loop("slow");
    controllers.start(
        loop,
        Controller.named("slow", key -> slow.future())
            .from(Source.once(new ResourceKey("Note", "a"))));
    controllers.start(world.loop("a"), controller("a"));
    world.runFor(Duration.ofSeconds(1));

    var stopped = controllers.stop();
    world.runFor(Duration.ofMinutes(1));
    assertThat(closed).containsExactly("a");
    assertThat(stopped.isComplete()).isFalse();

    slow.complete(Result.DONE);
    world.runFor(Duration.ofSeconds(1));
    assertThat(stopped.succeeded()).isTrue();
  }

  @Test
  void nothingRunsAfterControllersWereStoppedBeforeTheyBegan() {
    var ran = new ArrayList<ResourceKey>();
    controllers.start(
        world.loop("a"),
        Controller.named(
                "a",
                key -> {
                  ran.add(key);
                  return Result.done();
                })
            .from(Source.once(new ResourceKey("Note", "a"))));
    var stopped = controllers.stop();
    world.runFor(Duration.ofSeconds(1));

    assertThat(stopped.succeeded()).isTrue();
    assertThat(ran).isEmpty();
  }
}
