package verwalter.stores.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.Version;
import verwalter.stores.api.Write;

class LogReplayTest {
  private final LogReplay replay = new LogReplay(HistoryLimit.DEFAULT);

  private static State state(Resource<?, ?>... objects) {
    var writes = new ArrayList<Write>();
    for (var each : objects) {
      writes.add(new Write.Put(each));
    }
    return Transaction.apply(State.EMPTY, Objects.entry(writes.toArray(Write[]::new))).state();
  }

  private static Resource<Node.Spec, Node.Status> node(String name) {
    return Resource.of(Node.KIND, name, new Node.Spec(false));
  }

  private static Resource<RoleInstance.Spec, RoleInstance.Status> instance(
      String name, Map<String, Object> variables) {
    return Resource.of(
        RoleInstance.KIND, name, new RoleInstance.Spec("r", "n", "t", Optional.empty(), variables));
  }

  private static List<ByteBuffer> blocks(State state) throws IOException {
    var all = new ArrayList<ByteBuffer>();
    new Snapshot(state).write(block -> all.add(Objects.copy(block)));
    return all;
  }

  @Test
  void theLastBlockOfASnapshotIsKnown() throws IOException {
    var variables = Map.<String, Object>of("text", "some words, ".repeat(100));
    var state = state(node("a"), instance("b", variables));
    replay.begin(state.index(), state.version());
    var last = new ArrayList<Boolean>();
    var ends = new ArrayList<Boolean>();
    for (var block : blocks(state)) {
      ends.add(Snapshot.isEnd(block));
      last.add(replay.block(block));
    }
    assertThat(last).containsExactly(false, false, false, true);
    assertThat(ends).as("without reading them").isEqualTo(last);
    assertThat(Objects.bytes(replay.state())).isEqualTo(Objects.bytes(state));
    assertThat(replay.index()).isEqualTo(1);
  }

  @Test
  void aSnapshotOfManyBlocksIsReadWhole() throws IOException {
    var random = new SplittableRandom(1);
    var objects = new ArrayList<Resource<?, ?>>();
    for (int i = 0; i < 300; i++) {
      var text = new StringBuilder();
      while (text.length() < 4_000) {
        text.append(Long.toHexString(random.nextLong()));
      }
      var meta = node("n" + i).meta().withAnnotations(Map.of("k", text.toString()));
      objects.add(node("n" + i).withMeta(meta));
      objects.add(instance("i" + i, Map.of("text", text.toString())));
    }
    var state = state(objects.toArray(Resource<?, ?>[]::new));
    var blocks = blocks(state);
    assertThat(blocks).hasSizeGreaterThan(6);
    assertThat(blocks).allMatch(block -> block.remaining() < 300 << 10);
    assertThat(Objects.bytes(Objects.restored(state))).isEqualTo(Objects.bytes(state));
  }

  @Test
  void aSnapshotThatBeginsAgainForgetsTheFirst() throws IOException {
    var first = state(node("a"), node("b"));
    var variables = Map.<String, Object>of("text", "some words, ".repeat(100));
    var second = state(instance("c", variables));
    replay.begin(first.index(), first.version());
    replay.block(blocks(first).get(0));
    replay.begin(second.index(), second.version());
    for (var block : blocks(second)) {
      replay.block(block);
    }
    assertThat(Objects.bytes(replay.state())).isEqualTo(Objects.bytes(second));
  }

  @Test
  void aSnapshotThatLacksObjectsIsRefused() throws IOException {
    var blocks = blocks(state(node("a"), instance("b", Map.of())));
    replay.begin(1, 1);
    replay.block(blocks.get(0));
    assertThatThrownBy(() -> replay.block(blocks.get(blocks.size() - 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 objects");
  }

  @Test
  void anObjectWhoseValueIsMissingIsRefused() throws IOException {
    var variables = Map.<String, Object>of("text", "some words, ".repeat(100));
    var blocks = blocks(state(instance("b", variables)));
    replay.begin(1, 1);
    assertThatThrownBy(() -> replay.block(blocks.get(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("refers to a missing value");
  }

  @Test
  void objectsShareTheValuesOfTheState() throws IOException {
    var nested = new LinkedHashMap<String, Object>();
    for (int i = 0; i < 300; i++) {
      nested.put("node-" + i, Map.of("roles", Map.of("text", "some words, ".repeat(10) + i)));
    }
    var variables = Map.<String, Object>of("nodes", nested);
    var state = state(instance("a", variables), instance("b", variables));
    var again = Objects.restored(state);
    for (var name : List.of("a", "b")) {
      var object = again.find(RoleInstance.KIND.key(name));
      assertThat(object).isNotNull();
      assertThat(object.spec().values()).isNotEmpty();
      for (var value : object.spec().values()) {
        assertThat(again.values().find(value.hash())).isSameAs(value);
      }
    }
  }

  @Test
  void entriesFollowEachOther() throws IOException {
    replay.entry(1, Objects.entry(new Write.Put(node("a"))));
    assertThat(replay.index()).isEqualTo(1);
    assertThatThrownBy(() -> replay.entry(3, Objects.entry(new Write.Put(node("b")))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("entry 3 follows 1");
    replay.complete();
  }

  @Test
  void theHistoryKnowsWhereEpochsBegan() {
    replay.entry(1, Objects.entry(new Write.Put(node("a"))));
    replay.entry(2, Entry.epoch(7, Objects.NOW));
    replay.entry(3, Objects.entry(new Write.Put(node("b"))));
    var history = replay.history();
    assertThat(replay.state().version()).isEqualTo(Version.of(7, 1));
    assertThat(history.had(1)).isTrue();
    assertThat(history.had(2)).isFalse();
    assertThat(history.had(Version.of(5, 1))).isFalse();
    assertThat(history.had(Version.of(7, 0))).isTrue();
    assertThat(history.had(Version.of(7, 1))).isTrue();
  }

  @Test
  void anEpochThatIsTooOldIsForgottenWithTheHistory() {
    var history = new ChangeHistory(new HistoryLimit(1, 1 << 20), 0);
    history.beginEpoch(0, Version.of(7, 0));
    assertThat(history.had(5)).isFalse();
    for (long i = 1; i <= 3; i++) {
      var outcome =
          Transaction.apply(
              State.EMPTY.at(0, Version.of(7, i)), Objects.entry(new Write.Put(node("a"))));
      history.add(outcome.state().version(), outcome.effects());
    }
    assertThat(history.dropped()).isEqualTo(Version.of(7, 3));
    assertThat(history.had(5)).isTrue();
  }

  @Test
  void anObjectThatCannotBeReadIsReportedWhenEverythingWasRead() {
    var spec = "{\"cordoned\": what}".getBytes(StandardCharsets.UTF_8);
    var body = ByteBuffer.allocate(100).putInt(spec.length).put(spec).putInt(0).flip();
    var good = Stored.Head.of(node("a"));
    var put =
        new Entry.Change.Put(
            Node.KIND,
            "",
            0,
            "uid",
            node("a").meta(),
            good,
            Content.readSpec(Node.KIND, body),
            Optional.empty());
    replay.entry(1, Entry.transaction(OptionalLong.empty(), Objects.NOW, List.of(put), List.of()));
    assertThatThrownBy(replay::complete)
        .isInstanceOf(UnknownObject.class)
        .hasMessageContaining("Node");
  }

  @Test
  void aSnapshotIsMadeOfTheObjectsOfAnotherStore() throws IOException {
    var first = state(node("a"), instance("b", Map.of("n", 1L)));
    var objects = new ArrayList<Resource<?, ?>>();
    first.kinds().values().forEach(kind -> kind.values().forEach(it -> objects.add(it.resource())));

    var snapshot = Snapshot.of(5, Version.of(3, 9), objects);
    assertThat(snapshot.index()).isEqualTo(5);
    assertThat(snapshot.version()).isEqualTo(Version.of(3, 9));
    assertThat(snapshot.epoch()).isEqualTo(3);
    replay.begin(snapshot.index(), snapshot.version());
    snapshot.write(block -> replay.block(Objects.copy(block)));
    assertThat(Objects.bytes(replay.state().at(1, 1))).isEqualTo(Objects.bytes(first));
  }

  @Test
  void aValueWhoseLengthIsWrongIsRefused() {
    var value = value(hexadecimal(3_000));
    int good = (int) value.wholeLength();
    for (int length : new int[] {good - 1, good + 1}) {
      var read = StoredValue.read(written(value, length, 1));
      assertThatThrownBy(read::map)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("has another length than recorded");
    }
    int packed = value.packedLength();
    for (int length : new int[] {-1, packed - 1, StoredValue.MAX_BYTES + 1}) {
      assertThatThrownBy(() -> StoredValue.read(written(value, length, 1)))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> StoredValue.read(written(value, good, -1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(StoredValue.read(written(value, good, 0)).wholeLength()).isEqualTo(good);
    assertThat(StoredValue.read(written(value, StoredValue.MAX_BYTES, 0)).hash())
        .isEqualTo(value.hash());
    assertThat(StoredValue.read(written(value, packed, 0)).hash()).isEqualTo(value.hash());
  }

  /** A text that cannot be compressed to less than half its length. */
  private static Map<String, Object> hexadecimal(int length) {
    var random = new SplittableRandom(1);
    var text = new StringBuilder();
    while (text.length() < length) {
      text.append(Long.toHexString(random.nextLong()));
    }
    return Map.of("text", text.toString());
  }

  private static StoredValue value(Map<String, Object> variables) {
    return state(instance("a", variables)).values().all().get(0);
  }

  private static ByteBuffer written(StoredValue value, int length, int heap) {
    var sink = new Sink();
    value.write(sink);
    int at = 2 + value.hash().length();
    sink.numberAt(at, length);
    sink.numberAt(at + 4, heap);
    return Objects.copy(sink.bytes());
  }

  @Test
  void theSizeOfAnEntryIsAboutThatOfItsBytes() {
    var variables = Map.<String, Object>of("text", "some words, ".repeat(100));
    var node = node("a");
    var large = node.meta().withAnnotations(Map.of("k", "x".repeat(5_000)));
    for (var write :
        List.of(
            new Write.Put(node),
            new Write.Put(node.withMeta(large)),
            new Write.Put(instance("b", variables)),
            new Write.Put(instance("b", hexadecimal(3_000))),
            new Write.Put(instance("b", Map.of()).withStatus(Objects.status("s".repeat(3_000)))),
            new Write.Put(
                instance("b", Map.of())
                    .withSpec(
                        new RoleInstance.Spec(
                            "r", "n", "t".repeat(3_000), Optional.empty(), Map.of()))),
            new Write.PutStatus(
                instance("b", Map.of()).withStatus(Objects.status("s".repeat(3_000)))),
            new Write.PutStatus(instance("b", Map.of())),
            new Write.Remove(node))) {
      var entry = Objects.entry(write);
      var twice = Objects.entry(write, new Write.Remove(node("other")));
      var sink = new Sink();
      entry.write(sink);
      assertThat(entry.size()).isBetween((long) sink.size(), sink.size() + 700L);
      assertThat(twice.size()).isBetween(entry.size() + 30, entry.size() + 700);
    }
  }

  @Test
  void entryOfAnUnknownKindIsReported() {
    var sink = new Sink();
    Objects.entry(new Write.Remove(node("a"))).write(sink);
    var bytes = Objects.copy(sink.bytes()).array();
    var renamed = new String(bytes, StandardCharsets.ISO_8859_1).replace("Node", "Nude");
    var body = ByteBuffer.wrap(renamed.getBytes(StandardCharsets.ISO_8859_1));
    assertThatThrownBy(() -> Entry.read(body))
        .isInstanceOf(UnknownObject.class)
        .hasMessageContaining("Nude")
        .hasMessageContaining("its kind is not known");
  }
}
