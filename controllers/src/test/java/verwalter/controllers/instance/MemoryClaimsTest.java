package verwalter.controllers.instance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests who gets memory next. */
class MemoryClaimsTest {
  private static final long GB = 1_000_000_000;

  private static MemoryClaim has(String name, long gigabytes) {
    return new MemoryClaim(name, gigabytes * GB, gigabytes * GB, false, Instant.MAX);
  }

  private static MemoryClaim waits(String name, long gigabytes, long since) {
    return new MemoryClaim(name, 0, gigabytes * GB, false, Instant.ofEpochSecond(since));
  }

  private static Optional<String> refusal(String instance, long gigabytes, MemoryClaim... claims) {
    return new MemoryClaims(OptionalLong.of(gigabytes * GB), List.of(claims)).refusal(instance);
  }

  @Test
  void whatFitsIsGranted() {
    assertThat(refusal("b", 3, has("a", 2), waits("b", 1, 0))).isEmpty();
    assertThat(refusal("b", 3, waits("b", 3, 0))).isEmpty();
    assertThat(refusal("b", 0, has("b", 0))).isEmpty();
  }

  @Test
  void aRefusalNamesWhoHasTheMemoryTheLargestFirst() {
    assertThat(refusal("c", 4, has("a", 1), has("b", 2), waits("c", 2, 0)))
        .contains(
            "1 GB of memory are missing: it needs 2 GB, of 4 GB for this node;"
                + " b has 2 GB, a has 1 GB");
    assertThat(refusal("c", 1, has("a", 1), waits("c", 1, 0)))
        .contains("1 GB of memory are missing: it needs 1 GB, of 1 GB for this node; a has 1 GB");
  }

  @Test
  void aRefusalNamesFewHolders() {
    var claims = new ArrayList<MemoryClaim>();
    for (int i = 0; i < 7; i++) {
      claims.add(has("a" + i, 1));
    }
    claims.add(waits("b", 1, 0));

    assertThat(refusal("b", 7, claims.toArray(MemoryClaim[]::new)).orElseThrow())
        .endsWith("a4 has 1 GB and 2 more have memory");
  }

  @Test
  void nobodyPassesAnInstanceThatWaitsLonger() {
    var all =
        List.of(has("a", 2), waits("old", 2, 1), waits("young", 1, 2), waits("younger", 1, 3));
    var claims = all.toArray(MemoryClaim[]::new);

    assertThat(refusal("young", 3, claims))
        .contains(
            "it needs 1 GB of memory, and old waits longer for 2 GB, of 3 GB for this node;"
                + " a has 2 GB");
    assertThat(refusal("young", 5, claims)).isEmpty();
    assertThat(refusal("younger", 5, claims).orElseThrow())
        .startsWith("1 GB of memory are missing");
  }

  @Test
  void whatRanBeforeIsFirstThenTheOldestThenByName() {
    var ran = new MemoryClaim("z", 0, GB, true, Instant.ofEpochSecond(9));
    var old = waits("y", 1, 1);
    var young = waits("a", 1, 2);
    var same = waits("b", 1, 2);
    var all = new ArrayList<>(List.of(young, old, same, ran));

    Collections.shuffle(all, new Random(1));

    assertThat(all.stream().sorted(MemoryClaim.ORDER)).containsExactly(ran, old, young, same);
  }

  @Test
  void anInstanceThatNeedsMoreThanThereIsBlocksNobody() {
    assertThat(refusal("b", 3, waits("a", 4, 0), waits("b", 1, 1))).isEmpty();
    assertThat(refusal("a", 3, waits("a", 4, 0), waits("b", 1, 1)))
        .contains("it needs 4 GB of memory, and this node may reserve 3 GB in all");
  }

  @Test
  void aLargerVersionNeedsOnlyTheDifference() {
    var grows = new MemoryClaim("a", 2 * GB, 3 * GB, false, Instant.EPOCH);

    assertThat(refusal("a", 3, grows)).isEmpty();
    assertThat(refusal("a", 3, grows, has("b", 1)).orElseThrow())
        .startsWith("1 GB of memory are missing: it needs 3 GB");
  }

  @Test
  void moreThanTheNodeHasMayBeInUseAlready() {
    assertThat(refusal("b", 1, has("a", 3), waits("b", 1, 0)).orElseThrow())
        .startsWith("1 GB of memory are missing");
    var most = new MemoryClaim("a", Long.MAX_VALUE, Long.MAX_VALUE, false, Instant.MAX);
    var other = new MemoryClaim("c", Long.MAX_VALUE, Long.MAX_VALUE, false, Instant.MAX);
    assertThat(refusal("b", 1, most, other, waits("b", 1, 0))).isPresent();
  }

  @Test
  void withoutALimitEverythingFits() {
    var claims = List.of(has("a", 2), waits("b", 1_000_000, 0));

    assertThat(new MemoryClaims(OptionalLong.empty(), claims).refusal("b")).isEmpty();
  }

  @Test
  void numbersHaveTheUnitInWhichTheyAreWhole() {
    var claims = new ArrayList<MemoryClaim>();
    claims.add(new MemoryClaim("a", 1 << 30, 1 << 30, false, Instant.MAX));
    claims.add(new MemoryClaim("b", 0, 300_000_000, false, Instant.EPOCH));

    assertThat(new MemoryClaims(OptionalLong.of(1 << 30), claims).refusal("b"))
        .contains(
            "300 MB of memory are missing: it needs 300 MB, of 1 GiB for this node; a has 1 GiB");
    assertThat(new MemoryClaims(OptionalLong.of((1 << 30) + 1), claims).refusal("b").orElseThrow())
        .contains("of 1025 MiB for this node");
  }
}
