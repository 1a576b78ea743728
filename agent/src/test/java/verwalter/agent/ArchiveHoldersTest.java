package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Artifact;
import verwalter.model.Resource;
import verwalter.stores.engine.MemoryStore;

class ArchiveHoldersTest {
  private static final String DIGEST = "sha256:" + "a".repeat(64);
  private static final String OTHER = "sha256:" + "b".repeat(64);

  private final VirtualWorld world = new VirtualWorld(1);
  private final MemoryStore store = new MemoryStore(world.clock(), world.uids());
  private final Random random = new Random(1);
  private final ArchiveHolders holders =
      new ArchiveHolders(store, world.clock(), random::nextDouble);

  private void artifact(String node, String digest, Artifact.State state) {
    var spec = new Artifact.Spec(node, digest);
    var status = new Artifact.Status(1, state, Optional.of(1L), 1, List.of(), 0, "");
    world.await(
        store.put(
            Resource.of(Artifact.KIND, Artifact.name(digest, node), spec).withStatus(status)));
  }

  @Test
  void onlyNodesWithTheWholeArchiveAreNamed() {
    artifact("n1", DIGEST, Artifact.State.VERIFIED);
    artifact("n2", DIGEST, Artifact.State.DOWNLOADING);
    artifact("n3", OTHER, Artifact.State.VERIFIED);
    artifact("n4", DIGEST, Artifact.State.VERIFIED);
    assertThat(holders.of(DIGEST)).containsExactlyInAnyOrder("n1", "n4");
    assertThat(holders.of("sha256:" + "c".repeat(64))).isEmpty();
  }

  @Test
  void anAnswerIsKeptForASecond() {
    artifact("n1", DIGEST, Artifact.State.VERIFIED);
    assertThat(holders.of(DIGEST)).containsExactly("n1");
    artifact("n2", DIGEST, Artifact.State.VERIFIED);
    assertThat(holders.of(DIGEST)).containsExactly("n1");
    world.runFor(Duration.ofSeconds(1));
    assertThat(holders.of(DIGEST)).hasSize(2);
  }

  @Test
  void aClockThatIsSetBackKeepsNoAnswer() {
    artifact("n1", DIGEST, Artifact.State.VERIFIED);
    var now = new java.util.concurrent.atomic.AtomicReference<>(world.now());
    var set = new ArchiveHolders(store, now::get, random::nextDouble);
    assertThat(set.of(DIGEST)).containsExactly("n1");
    artifact("n2", DIGEST, Artifact.State.VERIFIED);
    now.set(world.now().minus(Duration.ofDays(1)));
    assertThat(set.of(DIGEST)).hasSize(2);
  }

  @Test
  void aThousandNodesDoNotAskOne() {
    var all = IntStream.range(0, 100).mapToObj(it -> "n" + it).toList();
    all.forEach(it -> artifact(it, DIGEST, Artifact.State.VERIFIED));
    var first = new TreeMap<String, Integer>();
    for (int asker = 0; asker < 1000; asker++) {
      var named = holders.of(DIGEST);
      assertThat(new HashSet<>(named)).hasSize(ArchiveHolders.MOST).isSubsetOf(all);
      first.merge(named.get(0), 1, Integer::sum);
    }
    assertThat(first).hasSizeGreaterThan(95);
    assertThat(first.values()).allMatch(it -> it < 30);
  }

  @Test
  void chanceDecidesTheOrder() {
    var all = List.of("a", "b", "c");
    assertThat(ArchiveHolders.some(all, 3, () -> 0)).containsExactly("a", "c", "b");
    assertThat(ArchiveHolders.some(all, 2, () -> 0.99)).containsExactly("c", "b");
    assertThat(ArchiveHolders.some(List.of(), 3, () -> 0)).isEmpty();
    var counts = new HashMap<List<String>, Integer>();
    for (int i = 0; i < 6000; i++) {
      counts.merge(ArchiveHolders.some(all, 3, random::nextDouble), 1, Integer::sum);
    }
    assertThat(counts).hasSize(6);
    assertThat(counts.values()).allMatch(it -> it > 800 && it < 1200);
  }
}
