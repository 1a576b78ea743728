package verwalter.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class VersionTest {
  private static final long MOST_REVISIONS = 0xFFFF_FFFFL;

  @Property
  void aVersionContainsItsEpochAndItsRevision(
      @ForAll @LongRange(min = 0, max = Integer.MAX_VALUE) long epoch,
      @ForAll @LongRange(min = 0, max = MOST_REVISIONS) long revision) {
    long version = Version.of(epoch, revision);
    assertThat(version).isNotNegative();
    assertThat(Version.epoch(version)).isEqualTo(epoch);
    assertThat(Version.revision(version)).isEqualTo(revision);
  }

  @Test
  void aVersionOfALaterEpochIsLarger() {
    assertThat(Version.of(2, 0)).isGreaterThan(Version.of(1, MOST_REVISIONS));
    assertThat(Version.of(0, 7)).isEqualTo(7);
  }

  @Test
  void aRevisionThatOverflowsCarriesIntoTheEpoch() {
    assertThat(Version.of(1, MOST_REVISIONS) + 1).isEqualTo(Version.of(2, 0));
  }

  @Test
  void valuesOutOfRangeAreRefused() {
    assertThat(Version.epoch(Long.MAX_VALUE)).isEqualTo(Version.LARGEST_EPOCH);
    assertThat(Version.of(Version.LARGEST_EPOCH, MOST_REVISIONS)).isEqualTo(Long.MAX_VALUE);
    assertThatThrownBy(() -> Version.of(Version.LARGEST_EPOCH + 1, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Version.of(-1, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Version.of(0, MOST_REVISIONS + 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Version.of(0, -1)).isInstanceOf(IllegalArgumentException.class);
  }
}
