package verwalter.stores.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Metadata;
import verwalter.model.Node;
import verwalter.model.OwnerReference;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.Version;
import verwalter.stores.api.Change;
import verwalter.stores.api.Query;
import verwalter.stores.api.Selection;
import verwalter.stores.api.StoreException;

class MirrorStoreTest {
  private final VirtualWorld world = new VirtualWorld(1);
  private final MirrorStore mirror = new MirrorStore(7, new HistoryLimit(100, 1 << 20));
  private final MemoryStore master = new MemoryStore(world.clock(), world.uids());

  @Test
  void keepsEverythingOfTheOriginalExceptItsVersion() {
    var original = world.await(master.put(instance("a@n1", "a", Map.of("n", 1L))));
    original = world.await(master.put(original.withSpec(instance("", "b", big("x")).spec())));
    mirror.apply(List.of(original), List.of());
    var copy = mirror.get(RoleInstance.KIND, "a@n1").orElseThrow();
    assertThat(copy.meta().version()).isEqualTo(Version.of(7, 1)).isEqualTo(mirror.revision());
    assertThat(copy.withMeta(copy.meta().withVersion(original.meta().version())))
        .isEqualTo(original);
    assertThat(copy.meta().generation()).isEqualTo(2);
  }

  @Test
  void acceptsObjectsWhoseOwnersItDoesNotHave() {
    var object = instance("a@n1", "a", Map.of());
    var owned =
        object.withMeta(object.meta().ownedBy(new OwnerReference("RoleInstance", "gone", "u")));
    mirror.apply(List.of(owned), List.of());
    assertThat(mirror.list(RoleInstance.KIND, new Selection.Owner("u"))).hasSize(1);
  }

  @Test
  void removesObjectsWithFinalizers() {
    var object = instance("a@n1", "a", Map.of());
    var held = object.withMeta(Metadata.named("a@n1").withFinalizers(List.of("f")));
    mirror.apply(List.of(held), List.of());
    mirror.apply(List.of(), List.of(held.key(), held.type().key("other")));
    assertThat(mirror.list(RoleInstance.KIND)).isEmpty();
  }

  @Test
  void reportsTheChangesOfOneCallTogether() {
    var seen = new ArrayList<String>();
    mirror.apply(List.of(instance("a@n1", "a", Map.of())), List.of());
    mirror.watch(
        RoleInstance.KIND,
        OptionalLong.of(mirror.revision()),
        world.loop("watcher"),
        change -> seen.add(text(change)));
    mirror.apply(List.of(instance("b@n1", "b", Map.of())), List.of(RoleInstance.KIND.key("a@n1")));
    world.runFor(java.time.Duration.ofSeconds(1));
    assertThat(seen).containsExactly("put b@n1 2", "gone a@n1 2");
  }

  @Test
  void doesNotContinueWatchesOfAnotherEpoch() {
    var seen = new ArrayList<String>();
    mirror.watch(
        RoleInstance.KIND,
        OptionalLong.of(Version.of(6, 3)),
        world.loop("watcher"),
        change -> seen.add(text(change)));
    world.runFor(java.time.Duration.ofSeconds(1));
    assertThat(seen).containsExactly("end TooOld");
  }

  @Test
  void continuesPagesAtTheirRevision() {
    mirror.apply(
        List.of(instance("a@n1", "a", Map.of()), instance("b@n1", "b", Map.of())), List.of());
    var first = mirror.list(RoleInstance.KIND, Query.ALL.limit(1));
    mirror.apply(List.of(), List.of(RoleInstance.KIND.key("b@n1")));
    var second =
        mirror.list(RoleInstance.KIND, Query.ALL.limit(1).continuing(first.next().orElseThrow()));
    assertThat(second.items()).extracting(Resource::name).containsExactly("b@n1");
  }

  @Test
  void changesNothingWithoutADifference() {
    mirror.apply(List.of(), List.of(RoleInstance.KIND.key("a@n1")));
    assertThat(mirror.revision()).isEqualTo(Version.of(7, 0));
  }

  @Test
  void keepsAMappingOfSeveralObjectsOnce() {
    mirror.apply(List.of(instance("a@n1", "a", big("x"))), List.of());
    long one = mirror.figures().bytes();
    mirror.apply(List.of(instance("b@n1", "a", big("x"))), List.of());
    assertThat(mirror.figures().bytes() - one).isLessThan(one / 2);
    mirror.apply(List.of(), List.of(RoleInstance.KIND.key("a@n1")));
    assertThat(mirror.get(RoleInstance.KIND, "b@n1").orElseThrow().spec().variables())
        .isEqualTo(big("x"));
  }

  @Test
  void refusesWrites() {
    var write = mirror.put(Resource.of(Node.KIND, "n1", new Node.Spec(false)));
    assertThat(world.failure(write)).isInstanceOf(StoreException.Unavailable.class);
    assertThatThrownBy(() -> new MirrorStore(Version.LARGEST_EPOCH + 1, HistoryLimit.DEFAULT))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Map<String, Object> big(String text) {
    var all = new HashMap<String, Object>();
    for (int i = 0; i < 200; i++) {
      all.put("variable" + i, text + i);
    }
    return all;
  }

  private static Resource<RoleInstance.Spec, RoleInstance.Status> instance(
      String name, String role, Map<String, Object> variables) {
    return Resource.of(
        RoleInstance.KIND,
        name,
        new RoleInstance.Spec(role, "n1", "template", Optional.empty(), variables));
  }

  private static String text(Change<RoleInstance.Spec, RoleInstance.Status> change) {
    long revision = Version.revision(change.revision());
    if (change instanceof Change.Put<RoleInstance.Spec, RoleInstance.Status> put) {
      return "put %s %d".formatted(put.resource().name(), revision);
    }
    if (change instanceof Change.Removed<RoleInstance.Spec, RoleInstance.Status> gone) {
      return "gone %s %d".formatted(gone.resource().name(), revision);
    }
    if (change instanceof Change.Ended<RoleInstance.Spec, RoleInstance.Status> ended) {
      return "end " + ended.reason().getClass().getSimpleName();
    }
    return "mark " + revision;
  }
}
