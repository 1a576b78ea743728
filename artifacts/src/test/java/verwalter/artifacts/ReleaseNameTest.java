package verwalter.artifacts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.Assume;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;

class ReleaseNameTest {
  @Example
  void namesCanBeRead() throws ArtifactException {
    assertThat(ReleaseName.of("web/1.2/g1.l0/n1")).isEqualTo("web+1.2+g1.l0+n1");
    assertThat(ReleaseName.of("..")).isEqualTo("%2e.");
    assertThat(ReleaseName.of("a+b%~ü")).isEqualTo("a%2bb%25%7e%c3%bc");
  }

  @Example
  void aKeyWithoutANameIsRefused() {
    for (var key : new String[] {"", "x".repeat(4097), "\ud800"}) {
      assertThatThrownBy(() -> ReleaseName.of(key))
          .isInstanceOfSatisfying(
              ArtifactException.class,
              it -> assertThat(it.reason()).isEqualTo(ArtifactException.Reason.BAD_KEY));
    }
  }

  @Property(tries = 300)
  void differentKeysHaveDifferentNames(
      @ForAll @StringLength(min = 1, max = 300) String one,
      @ForAll @StringLength(min = 1, max = 300) String two)
      throws ArtifactException {
    Assume.that(isUnicode(one) && isUnicode(two) && !one.equals(two));
    assertThat(ReleaseName.of(one)).isNotEqualTo(ReleaseName.of(two)).matches("[^./][^/\0]{0,179}");
  }

  @Example
  void longKeysHaveDifferentNames() throws ArtifactException {
    var one = ReleaseName.of("x".repeat(1000));
    assertThat(one).hasSizeLessThan(180).isNotEqualTo(ReleaseName.of("x".repeat(1001)));
  }

  private static boolean isUnicode(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8).equals(text);
  }
}
