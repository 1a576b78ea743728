package verwalter.ui.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.ext.web.RoutingContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import verwalter.cluster.ClusterView;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.model.Schedule;
import verwalter.problems.ProblemWatch;
import verwalter.stores.api.Change;
import verwalter.stores.api.ForwardingStore;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Selection;
import verwalter.stores.engine.MemoryStore;
import verwalter.ui.http.Gate;
import verwalter.ui.http.RequestDispatcher;
import verwalter.ui.http.RequestMetrics;

class StatusPageTest {
  private static final Gate GATE =
      new Gate() {
        @Override
        public void expect(String route) {}

        @Override
        public void admit(RoutingContext context, String route) {}
      };

  private final VirtualWorld world = new VirtualWorld(1);
  private final Loop loop = world.loop("page");
  private final CountedWatches store =
      new CountedWatches(new MemoryStore(world.clock(), world.uids()));
  private final List<PageContent.Update> updates = new ArrayList<>();
  private final PageContent content = new PageContent(store, loop, updates::add);

  /** A store that counts the open watches. */
  private static final class CountedWatches extends ForwardingStore<ObjectStore> {
    private int open;

    CountedWatches(ObjectStore real) {
      super(real);
    }

    @Override
    public <S, T> Watch watch(
        Kind<S, T> kind,
        Selection selection,
        OptionalLong after,
        Loop loop,
        Consumer<Change<S, T>> watcher) {
      open++;
      var watch = real.watch(kind, selection, after, loop, watcher);
      return () -> {
        open--;
        watch.close();
      };
    }
  }

  private void put(String role) {
    world.await(store.put(Resource.of(RoleConfig.KIND, role, RoleConfig.Spec.of(Map.of()))));
    world.runFor(Duration.ofSeconds(2));
  }

  @Test
  void contentIsReadWhenItIsOpened() {
    content.start();
    put("web");
    assertThat(content.rows(Section.ROLES)).isEmpty();
    assertThat(content.open()).isTrue();
    assertThat(content.open()).isFalse();
    assertThat(content.rows(Section.ROLES)).hasSize(1);
    put("api");
    assertThat(content.rows(Section.ROLES)).hasSize(2);
    assertThat(updates).hasSize(1);
  }

  @Test
  void pausedContentHasNoRowsAndReportsNothing() {
    content.start();
    content.open();
    put("web");
    updates.clear();
    content.pause();
    put("api");
    content.requestUpdate();
    world.runFor(Duration.ofSeconds(5));
    assertThat(content.rows(Section.ROLES)).isEmpty();
    assertThat(updates).isEmpty();
    assertThat(store.open).as("only schedules are followed").isEqualTo(1);
    content.open();
    assertThat(content.rows(Section.ROLES)).hasSize(2);
  }

  @Test
  void pausedContentRemembersThePreviousSchedule() {
    content.start();
    var first = schedule("a");
    var made = world.await(store.put(Resource.of(Schedule.KIND, Schedule.CURRENT, first)));
    world.runFor(Duration.ofSeconds(2));
    world.await(store.put(made.withSpec(schedule("b"))));
    world.runFor(Duration.ofSeconds(2));
    assertThat(content.previous()).contains(first);
  }

  private Schedule.Spec schedule(String name) {
    return Schedule.Spec.of(Map.of("nodes", Map.of(name, Map.of())), List.of(), "", world.now());
  }

  @Test
  void aPageFollowsTheStoreOnlyWhileItIsRead() {
    var page =
        new StatusPage(
            store,
            loop,
            new Alone(),
            new ProblemWatch(store, loop, List::of),
            new RequestDispatcher(loop, world.clock(), new RequestMetrics(), GATE));
    loop.execute(page::start);
    world.runFor(Duration.ofMinutes(1));
    int asleep = store.open;
    loop.execute(page::wake);
    world.runFor(StatusPage.KEPT.minusSeconds(1));
    assertThat(store.open).isGreaterThan(asleep);
    loop.execute(page::wake);
    world.runFor(StatusPage.KEPT.minusSeconds(1));
    assertThat(store.open).isGreaterThan(asleep);
    world.runFor(Duration.ofSeconds(2));
    assertThat(store.open).isEqualTo(asleep);
  }

  /** A node without a cluster. */
  private static final class Alone implements ClusterView {
    @Override
    public Self self() {
      return new Self("n1", "1", "n1", "0", "common", Path.of("/"), List.of());
    }

    @Override
    public Optional<Member> leader() {
      return Optional.empty();
    }

    @Override
    public long epoch() {
      return 1;
    }
  }
}
