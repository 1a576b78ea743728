package verwalter.stores.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RetentionTest {
  @Test
  void aMajorityHasAnEntryIfMoreThanHalfOfTheElectorsHaveIt() {
    assertThat(LogRetention.onMajority(Map.of("a", 7L), Set.of("a"))).isEqualTo(7);
    assertThat(LogRetention.onMajority(Map.of("a", 7L, "b", 3L), Set.of("a", "b"))).isEqualTo(3);
    var three = Set.of("a", "b", "c");
    assertThat(LogRetention.onMajority(Map.of("a", 7L, "b", 3L, "c", 9L), three)).isEqualTo(7);
    assertThat(LogRetention.onMajority(Map.of("a", 7L, "b", 3L), three)).isEqualTo(3);
    assertThat(LogRetention.onMajority(Map.of("a", 7L), three)).isZero();
    var five = Set.of("a", "b", "c", "d", "e");
    var some = Map.of("a", 7L, "b", 3L, "c", 9L, "d", 1L);
    assertThat(LogRetention.onMajority(some, five)).isEqualTo(3);
  }

  @Test
  void copiesOfOthersDoNotCount() {
    var durable = Map.of("a", 1L, "former", 9L, "observer", 9L);
    assertThat(LogRetention.onMajority(durable, Set.of("a", "b", "c"))).isZero();
    assertThat(LogRetention.onMajority(durable, Set.of("a"))).isEqualTo(1);
  }

  private static LogRetention.Entries filled(LogRetention retention, int count) {
    var entries = new LogRetention.Entries(retention);
    for (int i = 1; i <= count; i++) {
      entries.add(i, 100);
    }
    return entries;
  }

  @Test
  void theNewestEntriesAreKept() {
    var entries = filled(new LogRetention(3, 1000, 1), 10);
    assertThat(entries.trim(10)).hasValue(7);
    assertThat(entries.trim(10)).isEmpty();
    entries.add(11, 100);
    assertThat(entries.trim(11)).hasValue(8);
  }

  @Test
  void fewerEntriesAreKeptIfTheyAreLarge() {
    assertThat(filled(new LogRetention(100, 250, 1), 10).trim(10)).hasValue(8);
  }

  @Test
  void nothingIsTrimmedThatIsNotOnAMajority() {
    var entries = filled(new LogRetention(0, 0, 1), 10);
    assertThat(entries.trim(0)).isEmpty();
    assertThat(entries.trim(4)).hasValue(4);
    assertThat(entries.trim(4)).isEmpty();
  }

  @Test
  void entriesThatCannotBeTrimmedFillTheLog() {
    var entries = filled(new LogRetention(0, 0, 450), 10);
    assertThat(entries.isFull(4)).isTrue();
    assertThat(entries.isFull(6)).isFalse();
    assertThat(entries.isFull(20)).isFalse();
    entries.clear();
    assertThat(entries.isFull(0)).isFalse();
  }
}
