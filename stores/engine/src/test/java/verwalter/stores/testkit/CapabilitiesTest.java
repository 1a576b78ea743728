package verwalter.stores.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Kind;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.api.Capability;
import verwalter.stores.api.Change;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.Fence;
import verwalter.stores.api.Page;
import verwalter.stores.api.Query;
import verwalter.stores.api.Selection;
import verwalter.stores.api.Write;
import verwalter.stores.engine.MemoryStore;

/**
 * The contract test detects declared capabilities that are missing, and capabilities that are not
 * declared.
 */
class CapabilitiesTest {
  /** A store without some capabilities, with a configurable declaration. */
  private static final class LimitedStore implements EpochStore {
    private final EpochStore real;
    private final Set<Capability> lacking;
    private final Set<Capability> declared;
    private int fillers;

    LimitedStore(EpochStore real, Set<Capability> lacking, Set<Capability> declared) {
      this.real = real;
      this.lacking = lacking;
      this.declared = declared;
    }

    @Override
    public <S, T> Optional<Resource<S, T>> get(Kind<S, T> kind, String name) {
      return real.get(kind, name);
    }

    @Override
    public <S, T> Page<S, T> list(Kind<S, T> kind, Query query) {
      return real.list(kind, query);
    }

    @Override
    public Future<List<Resource<?, ?>>> commit(List<Write> writes, Fence fence) {
      var written = lacking.contains(Capability.OWNER_REMOVAL) ? withoutOwners(writes) : writes;
      var done =
          lacking.contains(Capability.TRANSACTIONS) ? oneByOne(written) : real.commit(written);
      if (lacking.contains(Capability.TOTAL_ORDER)) {
        real.put(Resource.of(Node.KIND, "filler" + ++fillers, new Node.Spec(false)));
      }
      return done;
    }

    private static List<Write> withoutOwners(List<Write> writes) {
      var without = new ArrayList<Write>();
      for (var each : writes) {
        without.add(each instanceof Write.Put put ? new Write.Put(free(put.resource())) : each);
      }
      return without;
    }

    private static Resource<?, ?> free(Resource<?, ?> object) {
      var fresh = Resource.of(Node.KIND, object.name(), new Node.Spec(false)).meta();
      return object.meta().owners().isEmpty() ? object : object.withMeta(fresh);
    }

    private Future<List<Resource<?, ?>>> oneByOne(List<Write> writes) {
      var all = writes.stream().map(each -> real.commit(List.of(each))).toList();
      return Future.all(all)
          .map(done -> all.stream().<Resource<?, ?>>map(each -> each.result().get(0)).toList());
    }

    @Override
    public <S, T> Watch watch(
        Kind<S, T> kind,
        Selection selection,
        OptionalLong after,
        Loop loop,
        Consumer<Change<S, T>> watcher) {
      return real.watch(kind, selection, after, loop, watcher);
    }

    @Override
    public long revision() {
      return real.revision();
    }

    @Override
    public long epoch() {
      return real.epoch();
    }

    @Override
    public Future<Long> beginEpoch(long atLeast) {
      return real.beginEpoch(atLeast);
    }

    @Override
    public Set<Capability> capabilities() {
      return declared;
    }
  }

  private static final Set<Capability> ALL = EnumSet.allOf(Capability.class);
  private static final Set<Capability> NONE = EnumSet.noneOf(Capability.class);

  private static ObjectStoreContract kit(Set<Capability> lacking, Set<Capability> declared) {
    var kit =
        new ObjectStoreContract() {
          @Override
          protected EpochStore newStore(VirtualWorld world, int history) {
            return new LimitedStore(
                new MemoryStore(world.clock(), world.uids()), lacking, declared);
          }
        };
    kit.begin();
    return kit;
  }

  private interface Check {
    void run(ObjectStoreContract kit);
  }

  private static void assertNoticed(Capability capability, Check check) {
    check.run(kit(NONE, ALL));
    check.run(kit(EnumSet.of(capability), EnumSet.complementOf(EnumSet.of(capability))));
    assertThatThrownBy(() -> check.run(kit(EnumSet.of(capability), ALL)))
        .hasMessageContaining("the store lacks " + capability);
    assertThatThrownBy(() -> check.run(kit(NONE, NONE)))
        .hasMessageContaining("the store has " + capability);
  }

  @Test
  void aWrongDeclarationOfTransactionsIsDetected() {
    assertNoticed(Capability.TRANSACTIONS, ObjectStoreContract::transactionsAreDeclaredRightly);
  }

  @Test
  void aWrongDeclarationOfATotalOrderIsDetected() {
    assertNoticed(Capability.TOTAL_ORDER, ObjectStoreContract::aTotalOrderIsDeclaredRightly);
  }

  @Test
  void aWrongDeclarationOfOwnerRemovalIsDetected() {
    assertNoticed(Capability.OWNER_REMOVAL, ObjectStoreContract::ownerRemovalIsDeclaredRightly);
  }

  @Test
  void testsOfACapabilityThatIsNotDeclaredAreSkipped() {
    var lacking = EnumSet.of(Capability.OWNER_REMOVAL);
    var kit = kit(lacking, EnumSet.complementOf(lacking)).new OwnerRemoval();
    assertThatThrownBy(kit::isDeclared).isInstanceOf(org.opentest4j.TestAbortedException.class);
    kit(NONE, ALL).new OwnerRemoval().isDeclared();
  }
}
