package verwalter.model;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** The invariant I23: names of deployment refs are injective. */
class DeploymentNameTest {
  private static String name(String role, String version, String slot, long g, long l) {
    return new DeploymentName(role, version, slot, g, l, "n1").text();
  }

  @Test
  void ordinaryNamesAreReadable() {
    assertThat(name("web", "1.0", "main", 1, 0)).isEqualTo("web@1.0@main@g1.l0@n1");
    assertThat(name("a_b", "v1+2", "", 12, 3)).isEqualTo("a_5fb@v1_2b2@@g12.l3@n1");
    assertThat(name("über", "1", "main", 1, 0)).matches("long@[0-9a-f]{64}");
  }

  @Test
  void bothGenerationsArePartsOfTheName() {
    assertThat(name("web", "1", "main", 1, 2)).isNotEqualTo(name("web", "1", "main", 2, 1));
    assertThat(name("web", "1", "main", 1, 11)).isNotEqualTo(name("web", "1", "main", 11, 1));
  }

  @Test
  void separatorsInPartsDoNotCollide() {
    assertThat(name("a@b", "c", "d", 1, 0)).isNotEqualTo(name("a", "b@c", "d", 1, 0));
    assertThat(name("a", "b_40c", "d", 1, 0)).isNotEqualTo(name("a", "b@c", "d", 1, 0));
    assertThat(name("a", "", "b", 1, 0)).isNotEqualTo(name("a", "b", "", 1, 0));
    assertThat(name("a", "\ud800", "b", 1, 0)).isNotEqualTo(name("a", "?", "b", 1, 0));
    assertThat(name("a", "\ud800", "b", 1, 0)).isNotEqualTo(name("a", "\ud801", "b", 1, 0));
  }

  @Test
  void longPartsAreShortenedAndStayDifferent() {
    var version = "v".repeat(300);
    assertThat(name("web", version, "main", 1, 0)).startsWith("web@").hasSize(4 + 64);
    assertThat(name("web", version, "main", 1, 0))
        .isNotEqualTo(name("web", version + "v", "main", 1, 0));
  }

  @Provide
  Arbitrary<DeploymentName> identities() {
    // Few characters, so that equal texts of different identities would be found.
    var texts =
        Arbitraries.oneOf(
            Arbitraries.strings().withChars("ab@_.-40/").ofMaxLength(4),
            Arbitraries.of("web", "a".repeat(120), "ä", "\ud800", "\u0000"));
    var numbers = Arbitraries.longs().between(0, 12);
    return Combinators.combine(texts, texts, texts, numbers, numbers, texts)
        .as(DeploymentName::new);
  }

  @Property(tries = 2000)
  boolean differentIdentitiesHaveDifferentValidNames(
      @ForAll("identities") DeploymentName one, @ForAll("identities") DeploymentName other) {
    return Names.isValid(one.text()) && one.text().equals(other.text()) == one.equals(other);
  }

  @Property(tries = 1000)
  boolean movingACharacterBetweenNeighboursChangesTheName(
      @ForAll("identities") DeploymentName one) {
    var moved =
        new DeploymentName(
            one.role() + one.version(),
            "",
            one.slot(),
            one.generation(),
            one.localGeneration(),
            one.node());
    return moved.equals(one) == moved.text().equals(one.text());
  }
}
