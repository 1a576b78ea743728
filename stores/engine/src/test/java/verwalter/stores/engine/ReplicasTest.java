package verwalter.stores.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import verwalter.model.OwnerReference;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.Version;
import verwalter.stores.api.Write;

/** Stores that apply the same entries are equal byte for byte, including refused entries. */
class ReplicasTest {
  enum What {
    PUT,
    STATUS,
    REMOVE,
    OWN,
    HOLD,
    LABEL,
    STALE,
    NAMESAKE
  }

  record Step(What what, String name, String text) {}

  /** Steps of a transaction with a fence: the present epoch, the previous one, or none. */
  record Turn(List<Step> steps, int fence, boolean epoch) {}

  @Provide
  Arbitrary<List<Turn>> turns() {
    var step =
        Combinators.combine(
                Arbitraries.of(What.values()),
                Arbitraries.of("a", "b", "c", "d", "e", "f"),
                Arbitraries.of("x", "y", "z"))
            .as(Step::new);
    var turn =
        Combinators.combine(
                step.list().ofMinSize(1).ofMaxSize(4),
                Arbitraries.of(0, 0, 0, 1, 2),
                Arbitraries.of(false, false, false, false, false, false, true))
            .as(Turn::new);
    return turn.list().ofMinSize(1).ofMaxSize(40);
  }

  @Property(tries = 300)
  void replicasAreEqual(@ForAll("turns") List<Turn> turns, @ForAll int someTurn) {
    var first = State.EMPTY;
    var second = State.EMPTY; // reads entries from bytes without decoding objects
    var third = State.EMPTY; // begins with a snapshot
    int joins = Math.floorMod(someTurn, turns.size());
    int uid = 0;
    for (int i = 0; i < turns.size(); i++) {
      var entry = entry(first, turns.get(i), ++uid * 10);
      if (i == joins) {
        third = Objects.restored(first);
      }
      var done = Transaction.apply(first, entry);
      var also = Transaction.apply(second, Objects.sent(entry));
      assertThat(String.valueOf(also.refusal())).isEqualTo(String.valueOf(done.refusal()));
      assertThat(also.effects()).hasSameSizeAs(done.effects());
      first = done.state();
      second = also.state();
      third = i < joins ? third : Transaction.apply(third, Objects.sent(entry)).state();
      first.kinds().values().forEach(kind -> kind.values().forEach(Stored::resource));
    }
    assertThat(first.index()).isEqualTo(turns.size());
    assertThat(Objects.bytes(second)).isEqualTo(Objects.bytes(first));
    assertThat(Objects.bytes(third)).isEqualTo(Objects.bytes(first));
    assertThat(second.bytes()).isEqualTo(first.bytes()).isEqualTo(third.bytes());
    assertThat(TreeTest.isSound(third.ranges())).isTrue();
    assertThat(third.ranges().values())
        .allMatch(range -> range.size() > 0 && TreeTest.isSound(range));
    assertThat(keys(second)).isEqualTo(keys(first)).isEqualTo(keys(third));
    assertThat(keys(first)).isEqualTo(keys(Objects.restored(first)));
  }

  private static List<String> keys(State state) {
    var keys = new ArrayList<String>();
    state
        .ranges()
        .visitAfter(
            "", (range, objects) -> objects.visitAfter("", (name, key) -> keys.add(range + name)));
    return keys;
  }

  private static Entry entry(State state, Turn turn, int uid) {
    long epoch = Version.epoch(state.version());
    if (turn.epoch()) {
      return Entry.epoch(epoch, Objects.NOW);
    }
    var fence =
        turn.fence() == 0 ? OptionalLong.empty() : OptionalLong.of(epoch + 1 - turn.fence());
    var changes = new ArrayList<Entry.Change>();
    for (var step : turn.steps()) {
      var change = WriteEncoder.encode(List.of(write(state, step))).get(0);
      int number = uid + changes.size();
      changes.add(
          change instanceof Entry.Change.Put put && put.version() == 0
              ? put.as("uid-" + number)
              : change);
    }
    return Objects.entry(fence, changes);
  }

  @SuppressWarnings("unchecked")
  private static Write write(State state, Step step) {
    var stored = state.find(RoleInstance.KIND.key(step.name()));
    var object =
        stored == null
            ? Objects.instance(step.name(), step.text(), step.name())
            : (Resource<RoleInstance.Spec, RoleInstance.Status>) stored.resource();
    var meta = object.meta();
    return switch (step.what()) {
      case PUT ->
          new Write.Put(object.withSpec(Objects.instance("", step.text(), step.name()).spec()));
      case STATUS -> new Write.PutStatus(object.withStatus(Objects.status(step.text())));
      case REMOVE -> new Write.Remove(object);
      case OWN -> {
        var owner = state.find(RoleInstance.KIND.key("a"));
        yield new Write.Put(
            owner == null
                ? object
                : object.withMeta(meta.ownedBy(OwnerReference.to(owner.resource()))));
      }
      case HOLD ->
          new Write.Put(
              object.withMeta(
                  meta.has(step.text()) ? meta.removing(step.text()) : meta.adding(step.text())));
      case LABEL ->
          new Write.Put(object.withMeta(meta.withLabels(Map.of("tier", step.text(), "z", "\0"))));
      case STALE -> new Write.Put(object.withMeta(meta.withVersion(meta.version() + 1)));
      case NAMESAKE ->
          new Write.PutStatus(
              object
                  .withMeta(meta.committed("other", 0, 1, meta.created(), meta.deleted()))
                  .withStatus(Objects.status("late")));
    };
  }
}
