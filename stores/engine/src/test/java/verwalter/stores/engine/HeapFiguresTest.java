package verwalter.stores.engine;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Metadata;
import verwalter.model.OwnerReference;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.stores.api.Write;

/** What the figures of memory are made of. {@link HeapEstimateTest} compares them with the heap. */
class HeapFiguresTest {
  /** An object, a text or a member takes at least this. */
  private static final int LEAST = 16;

  private static final Metadata BARE = Metadata.named("a");
  private static final String LONG = "x".repeat(1000);

  private final VirtualWorld world = new VirtualWorld(1);
  private final MemoryStore store = store(HistoryLimit.DEFAULT);

  private MemoryStore store(HistoryLimit limit) {
    return new MemoryStore(world.clock(), world.uids(), limit);
  }

  private static int json(String text) {
    return HeapEstimate.json(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static RoleInstance.Spec spec(Map<String, Object> variables) {
    return new RoleInstance.Spec("r", "n", "t", Optional.empty(), variables);
  }

  private static Resource<RoleInstance.Spec, RoleInstance.Status> object(
      String name, Map<String, Object> variables) {
    return Resource.of(RoleInstance.KIND, name, spec(variables));
  }

  private Resource<RoleInstance.Spec, RoleInstance.Status> put(
      Resource<RoleInstance.Spec, RoleInstance.Status> object) {
    return store.put(object).result();
  }

  private long objects() {
    return store.figures().bytes() - store.figures().historyBytes();
  }

  private long history() {
    return store.figures().historyBytes();
  }

  /** Texts that no compression makes much shorter. */
  private static Map<String, Object> variables(int count) {
    var map = new LinkedHashMap<String, Object>();
    var random = new java.util.SplittableRandom(count);
    for (int i = 0; i < count; i++) {
      map.put("variable" + i, Long.toHexString(random.nextLong()));
    }
    return map;
  }

  @Test
  void jsonIsCountedByWhatItIsMadeOf() {
    int nothing = json("{}");
    assertThat(json("{\"a\":\"b\"}")).isGreaterThan(nothing + 44 + LEAST);
    assertThat(json("{\"" + "k".repeat(1000) + "\":1}")).isEqualTo(json("{\"\":1}") + 1000);
    assertThat(json("{\"a\":\"" + LONG + "\"}")).isEqualTo(json("{\"a\":\"\"}") + 1000);
    assertThat(json("[1,2,3]")).isEqualTo(json("[1,2]") + 24);
    assertThat(json("[\"{[:,\\\"\"]")).isEqualTo(json("[\"xxxxx\"]"));
    assertThat(json("[[]]")).isEqualTo(json("[]") + 64);
    assertThat(json("{\"a\":1}")).isEqualTo(json("{}") + 16 + 1 + 20);
    assertThat(json("true")).isEqualTo(json("12345"));
  }

  @Test
  void jsonIsCountedFromThePositionOfItsBuffer() {
    var bytes = "12345[1]".getBytes(StandardCharsets.UTF_8);
    assertThat(HeapEstimate.json(ByteBuffer.wrap(bytes).position(5))).isEqualTo(json("[1]"));
    assertThat(HeapEstimate.json(ByteBuffer.wrap(bytes).position(4))).isEqualTo(json("5[1]"));
  }

  @Test
  void allMetadataOfAnObjectCount() {
    int bare = HeapEstimate.object(BARE);
    assertThat(bare).isBetween(300, 800);
    assertThat(HeapEstimate.object(Metadata.named("a" + LONG))).isEqualTo(bare + 1000);
    assertThat(HeapEstimate.object(BARE.committed(LONG, 1, 1, Optional.empty(), Optional.empty())))
        .isEqualTo(bare + 1000);

    for (int labels : new int[] {1, 2}) {
      var map = new LinkedHashMap<String, String>();
      for (int i = 0; i < labels; i++) {
        map.put("k" + i + LONG, "v" + LONG);
      }
      assertThat(HeapEstimate.object(BARE.withLabels(map)) - bare)
          .isBetween(labels * (2000 + 4 * LEAST), labels * (2000 + 16 * LEAST));
      assertThat(HeapEstimate.object(BARE.withAnnotations(map)) - bare)
          .isBetween(labels * (2000 + 4 * LEAST), labels * (2000 + 16 * LEAST));
    }
    var both = BARE.withLabels(Map.of("k", "v")).withAnnotations(Map.of("k", "v"));
    assertThat(HeapEstimate.object(both))
        .isGreaterThan(HeapEstimate.object(BARE.withLabels(Map.of("k", "v"))));

    assertThat(HeapEstimate.object(BARE.withFinalizers(List.of(LONG, "b"))) - bare)
        .isBetween(1001 + 2 * LEAST, 1001 + 8 * LEAST);
    var owner = new OwnerReference("Kind" + LONG, "name" + LONG, "uid" + LONG);
    assertThat(HeapEstimate.object(BARE.ownedBy(owner)) - bare)
        .isBetween(3000 + 6 * LEAST, 3000 + 16 * LEAST);
  }

  @Test
  void aTextTakesItsLettersAndAnObject() {
    assertThat(HeapEstimate.text(LONG)).isBetween(1000 + 2 * LEAST, 1000 + 4 * LEAST);
  }

  @Test
  void aStatusAndTheVariablesOfASpecCount() {
    var bare = put(object("a", Map.of()));
    long before = objects();
    assertThat(before).isBetween(500L, 3000L);
    store.putStatus(bare.withStatus(Objects.status(LONG)));
    assertThat(objects() - before).isBetween(1000L, 3000L);

    long withStatus = objects();
    var now = store.get(RoleInstance.KIND, "a").orElseThrow();
    put(now.withSpec(spec(variables(100))));
    assertThat(objects() - withStatus).isBetween(100L * 2 * (LEAST + 10), 100L * 200);
  }

  @Test
  void aValueThatTwoObjectsReferToCountsOnce() {
    put(object("a", variables(100)));
    long one = objects();
    put(object("b", variables(100)));
    assertThat(objects() - one).isLessThan(one / 2);

    store.remove(object("a", Map.of()));
    assertThat(objects()).isEqualTo(one);
    store.remove(object("b", Map.of()));
    assertThat(objects()).isZero();
  }

  @Test
  void entriesOfTheIndexCount() {
    var labelled = object("a", Map.of());
    var plain = HeapEstimate.object(labelled.meta());
    var meta = labelled.meta().withLabels(Map.of("key", "value"));
    long without = state(labelled).bytes();
    long with = state(labelled.withMeta(meta)).bytes();
    long metadata = (long) HeapEstimate.object(meta) - plain;
    assertThat(with - without - metadata)
        .as("a range of the index with one entry")
        .isBetween(3L * LEAST, 12L * LEAST);
  }

  @Test
  void eachFurtherObjectOfALineTakesAnEntryOfIt() {
    var label = Map.of("key", LONG);
    var names = List.of("a", "b", "c");
    var writes = new ArrayList<Write>();
    var sizes = new ArrayList<Long>();
    for (var name : names) {
      var each = object(name, Map.of());
      writes.add(new Write.Put(each.withMeta(each.meta().withLabels(label))));
      sizes.add(state(writes.toArray(Write[]::new)).bytes());
    }
    // The key of the range counts once, so only the first object brings it.
    assertThat(sizes.get(0) - (sizes.get(1) - sizes.get(0))).isBetween(1000L, 1500L);
    assertThat(sizes.get(2) - sizes.get(1)).isEqualTo(sizes.get(1) - sizes.get(0));
    var second = state(writes.get(1)).kind(RoleInstance.KIND.name()).values().get(0);
    assertThat(sizes.get(1) - sizes.get(0) - second.heap())
        .as("an entry for the node, the role and the label")
        .isEqualTo(3L * HeapEstimate.TREE_NODE);
  }

  private static State state(Resource<?, ?> object) {
    return state(new Write.Put(object));
  }

  private static State state(Write... writes) {
    return Transaction.apply(State.EMPTY, Objects.entry(writes)).state();
  }

  @Test
  void theHistoryKeepsWhatTheStateNoLongerHas() {
    var first = put(object("a", variables(100)));
    assertThat(history()).as("of an object that is new").isBetween(50L, 300L);

    long before = history();
    var second = put(first.withMeta(first.meta().withLabels(Map.of("k", "v"))));
    assertThat(history() - before).as("with the same spec").isBetween(400L, 1500L);

    before = history();
    long spec = objects();
    put(second.withSpec(spec(Map.of())));
    spec -= objects();
    assertThat(history() - before).as("with another spec").isBetween(spec, spec + 1500);

    before = history();
    var third = store.get(RoleInstance.KIND, "a").orElseThrow();
    var fourth = store.putStatus(third.withStatus(Objects.status(LONG))).result();
    assertThat(history() - before).as("without a status before").isBetween(400L, 1500L);
    before = history();
    store.putStatus(fourth.withStatus(Objects.status("short")));
    assertThat(history() - before).as("with another status").isBetween(1400L, 3500L);

    before = history();
    long all = objects();
    store.remove(object("a", Map.of()));
    assertThat(history() - before).as("of an object that is gone").isBetween(all / 2, all * 2);
  }

  @Test
  void theHistoryKeepsAStatusThatIsUnchangedOnce() {
    var first = put(object("a", Map.of()));
    var second = store.putStatus(first.withStatus(Objects.status(LONG))).result();
    long before = history();
    put(second.withMeta(second.meta().withLabels(Map.of("k", "v"))));
    assertThat(history() - before).isLessThan(1000);
  }

  @Test
  void aValueThatStaysIsNotCountedForTheHistory() {
    var first = put(object("a", variables(100)));
    long before = history();
    put(first.withSpec(new RoleInstance.Spec("r", "n", "other", Optional.empty(), variables(100))));
    assertThat(history() - before).isLessThan(2000);
  }

  @Test
  void theHistoryKeepsASpecThatWasReplaced() {
    var first = put(object("a", Map.of()).withSpec(templated(LONG)));
    var second = store.putStatus(first.withStatus(Objects.status("seen"))).result();
    long before = history();
    put(second.withSpec(templated("t")));
    assertThat(history() - before).isGreaterThan(1000);
  }

  private static RoleInstance.Spec templated(String template) {
    return new RoleInstance.Spec("r", "n", template, Optional.empty(), Map.of());
  }

  @Test
  void compressedFormOfAValueAndItsHashCount() {
    var text = variables(100).values().stream().map(String::valueOf).collect(joining());
    var state = state(object("a", Map.of("text", text)));
    var value = state.values().all().get(0);
    assertThat(value.heap()).isGreaterThan(value.wholeLength() + value.packedLength());
    assertThat(state.values().bytes()).isGreaterThan(value.heap() + value.hash().length());
  }

  @Test
  void theHistoryIsCutToItsLimit() {
    var small = store(new HistoryLimit(1_000_000, 200_000));
    for (int i = 0; i < 1000; i++) {
      small.put(object("a" + i, variables(3))).result();
      small.remove(object("a" + i, Map.of())).result();
      assertThat(small.figures().historyBytes()).isLessThanOrEqualTo(200_000);
    }
    assertThat(small.figures().historyBytes()).isGreaterThan(150_000);
  }
}
