package verwalter.controllers.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Action;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.Schedule;
import verwalter.stores.engine.MemoryStore;

class ObservedClusterTest {
  private final VirtualWorld world = new VirtualWorld(1);
  private final MemoryStore store = new MemoryStore(world.clock(), world.uids());
  private final Loop loop = world.loop("schedule");
  private final ResourceKey key = Schedule.KIND.key(Schedule.CURRENT);
  private final ObservedCluster cluster = new ObservedCluster(store, key);
  private final List<ResourceKey> keys = new ArrayList<>();

  private void settle() {
    world.runFor(Duration.ofSeconds(1));
  }

  @Test
  void isCompleteOnceEveryKindWasRead() {
    var complete = new ArrayList<Boolean>();
    complete.add(cluster.complete());
    loop.execute(
        () -> {
          cluster.start(loop, keys::add);
          complete.add(cluster.complete());
        });
    settle();
    complete.add(cluster.complete());
    assertThat(complete).containsExactly(false, false, true);
    assertThat(keys).isNotEmpty().containsOnly(key);
  }

  @Test
  void anActionThatWasJustCompletedIsNotPending() {
    var request = Map.of("button", Map.of("role", "web", "action", "go"));
    var spec = new Action.Spec(request, world.now());
    world.await(store.put(Resource.of(Action.KIND, "1", spec)));
    world.await(store.put(Resource.of(Action.KIND, "2", spec)));
    loop.execute(() -> cluster.start(loop, keys::add));
    settle();
    assertThat(cluster.actions()).hasSize(2).allMatch(Action::pending);

    var seen = new ArrayList<Resource<Action.Spec, Action.Status>>();
    loop.execute(
        () -> {
          var first = store.get(Action.KIND, "1").orElseThrow();
          store.putStatus(
              first.withStatus(
                  new Action.Status(
                      1, Action.State.DONE, "00", Optional.empty(), "", world.now())));
          store.remove(store.get(Action.KIND, "2").orElseThrow());
          seen.addAll(cluster.actions());
        });
    settle();

    assertThat(seen).extracting(Resource::name).containsExactly("1");
    assertThat(seen).noneMatch(Action::pending);
  }
}
