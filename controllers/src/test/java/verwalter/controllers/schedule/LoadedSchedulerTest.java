package verwalter.controllers.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Scheduler;

class LoadedSchedulerTest {
  private final VirtualWorld world = new VirtualWorld(1);
  private final Loop loop = world.loop("schedule");
  private final List<Numbered> made = new ArrayList<>();
  private final LoadedScheduler loaded = new LoadedScheduler(loop, this::load);
  private Optional<String> failure = Optional.empty();

  private static final class Numbered implements Scheduler {
    private int closed;

    @Override
    public Decision decide(Map<String, Object> input) {
      return new Decision(Map.of(), "", 0);
    }

    @Override
    public void close() {
      closed++;
    }
  }

  private Scheduler load() throws Scheduler.Failed {
    if (failure.isPresent()) {
      throw new Scheduler.Failed(failure.get(), "");
    }
    made.add(new Numbered());
    return made.get(made.size() - 1);
  }

  private void reload() {
    loop.execute(loaded::reload);
    settle();
  }

  private void settle() {
    world.runFor(Duration.ofSeconds(1));
  }

  private List<Integer> closed() {
    return made.stream().map(each -> each.closed).toList();
  }

  @Test
  void nothingWasTriedBeforeTheFirstLoadEnds() {
    assertThat(loaded.tried()).isFalse();
    reload();
    assertThat(loaded.tried()).isTrue();
    assertThat(loaded.scheduler()).contains(made.get(0));
    assertThat(loaded.problem()).isEmpty();
  }

  @Test
  void aLoadThatFailsGivesTheReason() {
    failure = Optional.of("main.lua:1: no");
    reload();
    assertThat(loaded.tried()).isTrue();
    assertThat(loaded.scheduler()).isEmpty();
    assertThat(loaded.problem()).contains("main.lua:1: no");
  }

  @Test
  void theSchedulerBeforeStaysWhenALoadFails() {
    reload();
    failure = Optional.of("main.lua:1: no");
    reload();
    assertThat(loaded.scheduler()).contains(made.get(0));
    assertThat(loaded.problem()).contains("main.lua:1: no");
    assertThat(closed()).containsExactly(0);

    failure = Optional.empty();
    reload();
    assertThat(loaded.scheduler()).contains(made.get(1));
    assertThat(loaded.problem()).isEmpty();
    assertThat(closed()).containsExactly(1, 0);
  }

  @Test
  void callsDuringALoadCauseOneMore() {
    var loads = new ArrayList<Integer>();
    loaded.onLoad(() -> loads.add(made.size()));
    loop.execute(
        () -> {
          for (int i = 0; i < 5; i++) {
            loaded.reload();
          }
        });
    settle();
    assertThat(made).hasSize(2);
    assertThat(loads).containsExactly(1, 2);
    assertThat(closed()).containsExactly(1, 0);
    settle();
    assertThat(made).hasSize(2);
  }

  @Test
  void aReplacedSchedulerIsClosedOnceWhenNoRunUsesIt() {
    reload();
    var runs = new ArrayList<Future<Integer>>();
    loop.execute(
        () -> {
          loaded.reload();
          for (int i = 0; i < 20; i++) {
            runs.add(
                loaded.run(
                    () -> {
                      assertThat(made.get(0).closed).isZero();
                      return 7;
                    }));
          }
        });
    settle();
    assertThat(runs).allMatch(Future::succeeded);
    assertThat(closed()).containsExactly(1, 0);
    reload();
    reload();
    assertThat(closed()).containsExactly(1, 1, 1, 0);
  }

  @Test
  void closingClosesTheSchedulerAndLoadsNoMore() {
    reload();
    loop.execute(loaded::close);
    settle();
    assertThat(closed()).containsExactly(1);
    assertThat(loaded.scheduler()).isEmpty();
    reload();
    assertThat(made).hasSize(1);
  }

  @Test
  void aSchedulerThatIsLoadedAfterCloseIsClosed() {
    var loads = new ArrayList<Integer>();
    loaded.onLoad(() -> loads.add(1));
    loop.execute(loaded::reload);
    loop.execute(loaded::close);
    settle();
    assertThat(closed()).containsExactly(1);
    assertThat(loaded.scheduler()).isEmpty();
    assertThat(loads).isEmpty();
  }
}
