package verwalter.ui.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Kind;
import verwalter.stores.api.Change;
import verwalter.stores.api.ForwardingStore;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Selection;
import verwalter.stores.engine.MemoryStore;
import verwalter.ui.port.AccessPort;

/** Tests how the gate follows rules and tokens. */
class GatekeeperTest {
  /** A store with a part whose revisions are larger, and that has no rules and no tokens. */
  private static final class Combined extends ForwardingStore<ObjectStore> {
    private int watches;

    Combined(ObjectStore real) {
      super(real);
    }

    @Override
    public long revision() {
      return super.revision() + 100;
    }

    @Override
    public <S, T> Watch watch(
        Kind<S, T> kind,
        Selection selection,
        OptionalLong after,
        Loop loop,
        Consumer<Change<S, T>> watcher) {
      watches++;
      // A watch that ends at once is begun again without end.
      assertThat(watches).isLessThan(10);
      return super.watch(kind, selection, after, loop, watcher);
    }
  }

  @Test
  void watchesEachKindOnceWhenAnotherPartHasLargerRevisions() {
    var world = new VirtualWorld(1);
    var store = new Combined(new MemoryStore(world.clock(), world.uids()));
    var loop = world.loop("gate");
    var gatekeeper = new Gatekeeper(store, AccessPort.OPERATORS, loop);

    gatekeeper.start();
    world.runFor(Duration.ofSeconds(1));

    assertThat(store.watches).isEqualTo(2);
  }
}
