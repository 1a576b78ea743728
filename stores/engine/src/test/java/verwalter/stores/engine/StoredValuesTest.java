package verwalter.stores.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import verwalter.model.NodeSchedule;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.Schedule;
import verwalter.model.TemplateOutput;
import verwalter.model.codec.SharedValues;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;

/** Equal free-form mappings are stored once. */
class StoredValuesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private State state = State.EMPTY;

  private static Map<String, Object> variables(String tag) {
    var map = new LinkedHashMap<String, Object>();
    map.put("z", tag);
    map.put("text", "some words, ".repeat(100));
    return map;
  }

  private static Resource<RoleInstance.Spec, RoleInstance.Status> instance(
      String role, Map<String, Object> variables) {
    return Resource.of(
        RoleInstance.KIND,
        role + "@n",
        new RoleInstance.Spec(role, "n", role, Optional.empty(), variables));
  }

  private static Resource<NodeSchedule.Spec, NodeSchedule.Status> share(
      Map<String, Object> variables) {
    return Resource.of(
        NodeSchedule.KIND, "n", new NodeSchedule.Spec("00", Map.of("web", variables)));
  }

  private static Resource<TemplateOutput.Spec, TemplateOutput.Status> output(
      Map<String, Object> variables) {
    return Resource.of(
        TemplateOutput.KIND, "web@n", new TemplateOutput.Spec("web", "n", "web", variables));
  }

  private Entry entry(Write... writes) {
    var changes = WriteEncoder.encode(List.of(writes));
    return Entry.transaction(OptionalLong.empty(), NOW, changes, Engine.missing(state, changes));
  }

  private Outcome apply(Entry entry) {
    var outcome = Transaction.apply(state, entry);
    state = outcome.state();
    return outcome;
  }

  private void put(Resource<?, ?> resource) {
    assertThat(apply(entry(new Write.Put(resource))).refusal()).isNull();
  }

  @SuppressWarnings("unchecked")
  private <S, T> Resource<S, T> stored(Resource<S, T> like) {
    var found = state.find(like.key());
    assertThat(found).isNotNull();
    return (Resource<S, T>) found.resource();
  }

  private static StoredValue value(Map<String, Object> map) {
    var values = StoredValue.of(SharedValues.detach(output(map).spec()).values());
    return List.copyOf(values.values()).get(values.size() - 1);
  }

  private static ByteBuffer bytes(Entry entry) {
    var sink = new Sink();
    entry.write(sink);
    var copy = ByteBuffer.allocate(sink.size());
    return copy.put(sink.bytes()).flip();
  }

  private static byte[] snapshot(State state) throws IOException {
    var all = new ByteArrayOutputStream();
    new Snapshot(state)
        .write(
            block -> {
              var bytes = new byte[block.remaining()];
              block.duplicate().get(bytes);
              all.write(bytes);
            });
    return all.toByteArray();
  }

  private static State restored(State from) throws IOException {
    var reader = new LogReplay(HistoryLimit.DEFAULT);
    reader.begin(from.index(), from.version());
    new Snapshot(from)
        .write(
            block -> {
              var copy = ByteBuffer.allocate(block.remaining());
              reader.block(copy.put(block.duplicate()).flip());
            });
    return reader.state();
  }

  @Test
  void equalMappingsShareOneValue() {
    put(share(variables("a")));
    put(instance("web", variables("a")));
    put(output(variables("a")));
    put(
        Resource.of(
            Schedule.KIND,
            "current",
            Schedule.Spec.of(variables("a"), List.of(), "00", Instant.EPOCH)));
    assertThat(state.values().all()).hasSize(1);
    assertThat(stored(output(Map.of())).spec().variables()).isEqualTo(variables("a"));
    for (var kind : state.kinds().values()) {
      var only = kind.values().get(0);
      assertThat(List.copyOf(only.spec().values()).get(0)).isSameAs(state.values().all().get(0));
    }
  }

  @Test
  void anEntryContainsOnlyNewValues() {
    var first = entry(new Write.Put(share(variables("a"))));
    apply(first);
    var second = entry(new Write.Put(instance("web", variables("a"))));
    assertThat(first.size()).isGreaterThan(second.size());
    assertThat(bytes(second).remaining()).isLessThan(500);
  }

  @Test
  void longValuesAreCompressed() {
    var value = value(variables("a"));
    assertThat(value.packedLength()).isLessThan((int) value.wholeLength() / 5);
  }

  @Test
  void aValueIsRemovedWithItsLastReference() {
    put(share(variables("a")));
    put(instance("web", variables("a")));
    long full = state.bytes();
    put(stored(share(Map.of())).withSpec(new NodeSchedule.Spec("01", Map.of())));
    assertThat(state.values().all()).hasSize(1);
    apply(entry(new Write.Remove(stored(instance("web", Map.of())))));
    assertThat(state.values().all()).isEmpty();
    assertThat(state.values().bytes()).isZero();
    assertThat(state.bytes()).isLessThan(full);
  }

  @Test
  void aTransactionMovesAValueFromOneObjectToAnother() {
    put(share(variables("a")));
    var moved =
        apply(
            entry(
                new Write.Put(
                    stored(share(Map.of())).withSpec(new NodeSchedule.Spec("01", Map.of()))),
                new Write.Put(instance("web", variables("a")))));
    assertThat(moved.refusal()).isNull();
    assertThat(state.values().all()).hasSize(1);
    assertThat(stored(instance("web", Map.of())).spec().variables()).isEqualTo(variables("a"));
  }

  @Test
  void replacingASpecByOneWithTheSameValueKeepsIt() {
    put(instance("web", variables("a")));
    var now = stored(instance("web", Map.of()));
    put(
        now.withSpec(
            new RoleInstance.Spec("web", "n", "other", Optional.of("v2"), variables("a"))));
    assertThat(state.values().all()).hasSize(1);
    assertThat(stored(now).spec().variables()).isEqualTo(variables("a"));
  }

  @Test
  void writingAStatusChangesNoValue() {
    put(instance("web", variables("a")));
    var before = state.values();
    var now = stored(instance("web", Map.of()));
    var status =
        new RoleInstance.Status(
            1, RoleInstance.State.RUNNING, 1, 1, 0, Instant.EPOCH, "", List.of());
    var entry = entry(new Write.PutStatus(now.withStatus(status)));
    assertThat(bytes(entry).remaining()).isLessThan(500);
    apply(entry);
    assertThat(state.values()).isSameAs(before);
  }

  @Test
  void replicasThatApplyTheSameBytesAreEqual() throws IOException {
    var replica = State.EMPTY;
    var writes =
        List.<Write>of(
            new Write.Put(share(variables("a"))),
            new Write.Put(instance("web", variables("a"))),
            new Write.Put(instance("api", variables("b"))));
    for (var each : writes) {
      var entry = entry(each);
      var bytes = bytes(entry);
      apply(entry);
      replica = Transaction.apply(replica, Entry.read(bytes)).state();
    }
    assertThat(replica.values().all()).hasSize(2);
    // This entry contains no uids, so each replica assigns its own.
    assertThat(snapshot(replica)).isEqualTo(snapshot(state));
    assertThat(snapshot(restored(state))).isEqualTo(snapshot(state));
  }

  @Test
  void restoredObjectsShareOneDecodedMapping() throws IOException {
    put(share(variables("a")));
    put(instance("web", variables("a")));
    put(output(variables("a")));
    state = restored(state);
    var mapping = stored(instance("web", Map.of())).spec().variables();
    assertThat(mapping).isEqualTo(variables("a"));
    assertThat(mapping.keySet()).containsExactly("z", "text");
    assertThat(stored(output(Map.of())).spec().variables()).isSameAs(mapping);
    assertThat(stored(share(Map.of())).spec().roles().get("web")).isSameAs(mapping);
    assertThat(state.bytes()).isEqualTo(restored(state).bytes());
  }

  @Test
  void anEntryWithAMissingValueIsRefusedByAllReplicas() {
    put(share(variables("a")));
    var late = entry(new Write.Put(instance("web", variables("a")))); // contains no values
    apply(entry(new Write.Remove(stored(share(Map.of())))));
    var outcome = Transaction.apply(state, late);
    assertThat(outcome.refusal()).isInstanceOf(StoreException.Conflict.class);
    assertThat(outcome.state().kinds()).isSameAs(state.kinds());
  }

  @Test
  void damagedValuesAreErrors() {
    var good = value(variables("a"));
    var sink = new Sink();
    good.write(sink);
    var bytes = new byte[sink.size()];
    sink.bytes().get(bytes);
    bytes[bytes.length - 10] ^= 1; // in the compressed text
    var damaged = StoredValue.read(ByteBuffer.wrap(bytes));
    assertThatThrownBy(damaged::map).isInstanceOf(IOException.class);
  }

  @Test
  void aMappingOfMoreThan64MebibytesIsRefused() {
    var tooLong = Map.<String, Object>of("text", "x".repeat(StoredValue.MAX_BYTES));
    var outcome = Transaction.apply(state, entry(new Write.Put(instance("web", tooLong))));
    assertThat(outcome.refusal())
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("more than the limit of 67108864");
    var text = "x".repeat(StoredValue.MAX_BYTES - "{\"text\":\"\"}".length());
    put(instance("web", Map.of("text", text)));
    assertThat(stored(instance("web", Map.of())).spec().variables()).containsEntry("text", text);
  }

  /** The data of a schedule for {@code nodes} nodes, one of which has another version. */
  private static Resource<Schedule.Spec, Schedule.Status> schedule(int nodes, int other) {
    var all = new LinkedHashMap<String, Object>();
    for (int i = 0; i < nodes; i++) {
      var roles = new LinkedHashMap<String, Object>();
      for (int role = 0; role < 50; role++) {
        var version = i == other && role == 7 ? "v2" : "v1";
        roles.put("role-" + role, Map.of("version", version, "port", 1000L + 50L * i + role));
      }
      all.put("node-" + i, Map.of("roles", roles));
    }
    var spec = Schedule.Spec.of(Map.of("nodes", all), List.of(), "00", Instant.EPOCH);
    return Resource.of(Schedule.KIND, Schedule.CURRENT, spec);
  }

  @Test
  void aChangeOnOneNodeWritesTheSameBytesAtAnySize() {
    var sizes = new ArrayList<Integer>();
    for (int nodes : List.of(100, 1000)) {
      state = State.EMPTY;
      put(schedule(nodes, -1));
      var next = stored(schedule(0, 0)).withSpec(schedule(nodes, 50).spec());
      sizes.add(bytes(entry(new Write.Put(next))).remaining());
    }
    assertThat(sizes.get(1)).isLessThan(sizes.get(0) + 4000);
    assertThat(sizes).allMatch(size -> size < 64 << 10);
  }

  @Test
  void splitValuesAreCountedRestoredAndRemoved() throws IOException {
    put(schedule(200, -1));
    int all = state.values().all().size();
    for (var each : state.values().all()) {
      long parts = each.children().stream().mapToLong(StoredValue::wholeLength).sum();
      assertThat(each.wholeLength()).isGreaterThan(parts);
    }
    put(stored(schedule(0, 0)).withSpec(schedule(200, 50).spec()));
    assertThat(state.values().all()).hasSize(all);
    assertThat(stored(schedule(0, 0)).spec()).isEqualTo(schedule(200, 50).spec());

    var again = restored(state);
    assertThat(snapshot(again)).isEqualTo(snapshot(state));
    assertThat(again.bytes()).isEqualTo(state.bytes());
    state = again;
    assertThat(stored(schedule(0, 0)).spec()).isEqualTo(schedule(200, 50).spec());
    apply(entry(new Write.Remove(stored(schedule(0, 0)))));
    assertThat(state.values().all()).isEmpty();
    assertThat(state.bytes()).isZero();
  }

  @Test
  void replicasLinkSplitValuesOfEntries() throws IOException {
    var replica = State.EMPTY;
    var first = entry(new Write.Put(schedule(100, -1)));
    apply(first);
    replica = Transaction.apply(replica, Entry.read(bytes(first))).state();
    var second = entry(new Write.Put(stored(schedule(0, 0)).withSpec(schedule(100, 3).spec())));
    apply(second);
    replica = Transaction.apply(replica, Entry.read(bytes(second))).state();
    assertThat(snapshot(replica)).isEqualTo(snapshot(state));
  }
}
