package verwalter.controllers.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.DeploymentRef;
import verwalter.model.Reason;
import verwalter.model.ResourceKey;

class WorkPoolTest {
  private final VirtualWorld world = new VirtualWorld(3);
  private final Loop loop = world.loop("pool");
  private final Map<String, Manual> begun = new TreeMap<>();
  private final List<ResourceKey> named = new ArrayList<>();
  private final WorkPool<String, String> pool =
      new WorkPool<>(loop, 2, this::begin, (a, b) -> a.charAt(0) == b.charAt(0), named::add);

  /** A work that ends when the test says so. */
  private static final class Manual implements ReleaseWork<String> {
    private final Promise<String> done = Promise.promise();
    private long bytes;
    private boolean cancelled;

    @Override
    public Future<String> done() {
      return done.future();
    }

    @Override
    public ByteProgress progress() {
      return new ByteProgress(bytes, Optional.empty());
    }

    @Override
    public void cancel() {
      cancelled = true;
    }
  }

  private ReleaseWork<String> begin(String id) {
    var work = new Manual();
    assertThat(begun.put(id, work)).isNull();
    return work;
  }

  private static ResourceKey key(String name) {
    return DeploymentRef.KIND.key(name);
  }

  private void join(String id, String uid) {
    pool.join(id, uid, key(uid));
  }

  private void end(String id) {
    begun.remove(id).done.complete("result of " + id);
    world.runFor(Duration.ofMillis(10));
  }

  @Test
  void worksBeginInOrderAndAtMostAsManyAsTheLimit() {
    join("a", "1");
    join("b", "2");
    join("c", "3");
    join("d", "4");
    assertThat(begun).containsOnlyKeys("a", "b");
    assertThat(pool.of("3")).contains(new WorkState.Waiting<>());
    end("b");
    assertThat(begun).containsOnlyKeys("a", "c");
    assertThat(pool.of("2")).contains(new WorkState.Succeeded<>("result of b"));
  }

  @Test
  void worksThatConflictRunOneAfterTheOtherAndLetOthersPass() {
    join("a1", "1");
    join("a2", "2");
    join("b", "3");
    assertThat(begun).containsOnlyKeys("a1", "b");
    end("a1");
    assertThat(begun).containsOnlyKeys("a2", "b");
  }

  @Test
  void equalRequestsShareAWorkAndItsResult() {
    join("a", "1");
    join("a", "2");
    join("a", "2");
    begun.get("a").done.fail(new ReleaseFailure(Reason.NOT_FOUND, true, "404"));
    world.runFor(Duration.ofMillis(10));
    for (var uid : List.of("1", "2")) {
      assertThat(pool.of(uid).orElseThrow()).isInstanceOf(WorkState.Failed.class);
    }
    assertThat(named).contains(key("1"), key("2"));
    pool.forget("1", pool.of("1").orElseThrow());
    assertThat(pool.of("1")).isEmpty();
    assertThat(pool.of("2")).isPresent();
  }

  @Test
  void aWorkEndsWithItsLastMember() {
    join("a", "1");
    join("a", "2");
    assertThat(pool.leave("1", key("1"))).isTrue();
    assertThat(begun.get("a").cancelled).isFalse();
    assertThat(pool.leave("2", key("2"))).isFalse();
    assertThat(begun.get("a").cancelled).isTrue();
    assertThat(pool.leave("2", key("2"))).isFalse();
    named.clear();
    end("a");
    assertThat(named).containsExactly(key("2"));
    assertThat(pool.leave("2", key("2"))).isTrue();
  }

  @Test
  void aLateResultReachesNobody() {
    join("a", "1");
    pool.leave("1", key("1"));
    join("a", "other uid");
    var late = begun.remove("a");
    assertThat(pool.of("other uid")).contains(new WorkState.Waiting<>());
    late.done.complete("late");
    world.runFor(Duration.ofMillis(10));
    assertThat(pool.of("1")).isEmpty();
    assertThat(pool.of("other uid").orElseThrow()).isInstanceOf(WorkState.Running.class);
    end("a");
    assertThat(pool.of("other uid")).contains(new WorkState.Succeeded<>("result of a"));
  }

  @Test
  void oneThatWaitsLeavesAtOnce() {
    join("a1", "1");
    join("a2", "2");
    assertThat(pool.leave("2", key("2"))).isTrue();
    end("a1");
    assertThat(begun).isEmpty();
  }

  @Test
  void membersSeeTheProgressChangeOnceASecond() {
    join("a", "1");
    begun.get("a").bytes = 5;
    assertThat(pool.of("1").orElseThrow()).isEqualTo(running(5));
    begun.get("a").bytes = 9;
    world.runFor(Duration.ofMillis(900));
    assertThat(pool.of("1").orElseThrow()).isEqualTo(running(5));
    world.runFor(Duration.ofMillis(100));
    assertThat(pool.of("1").orElseThrow()).isEqualTo(running(9));
  }

  private static WorkState<String> running(long bytes) {
    return new WorkState.Running<>(new ByteProgress(bytes, Optional.empty()));
  }
}
