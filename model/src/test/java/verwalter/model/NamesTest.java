package verwalter.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {
  private static final List<String> FIELDS =
      List.of("cordoned", "labels", "metadata", "role", "roles", "spec", "status");

  @ParameterizedTest
  @CsvSource({
    "cordonned, cordoned",
    "CORDONED, cordoned",
    "cordend, cordoned",
    "label, labels",
    "metdata, metadata",
    "rol, role",
    "roless, roles",
    "rolex, role",
    "sepc, spec",
    "spce, spec",
    "stat, ",
    "cpes, ",
    "x, ",
    "completely-different, ",
    "'', ",
  })
  void theMostSimilarNameIsSuggested(String word, String meant) {
    assertThat(Names.nearest(word, FIELDS).orElse(null)).isEqualTo(meant);
  }

  @Test
  void theAlphabeticallyFirstOfEquallySimilarNamesIsSuggested() {
    assertThat(Names.nearest("web0", List.of("web2", "web1", "web3"))).contains("web1");
    assertThat(Names.nearest("web", List.of())).isEmpty();
  }

  @Property(tries = 200)
  boolean aLetterLeftOutOfALongWordIsFound(
      @ForAll @AlphaChars @StringLength(min = 3, max = 20) String word, @ForAll int where) {
    int at = Math.floorMod(where, word.length());
    var typed = word.substring(0, at) + word.substring(at + 1);
    return Names.nearest(typed, List.of(word)).equals(Optional.of(word));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "A1", "web-1.example", "shop@alpha", "a_b", "v1.0.2"})
  void namesOfLettersDigitsAndSomePunctuationAreValid(String name) {
    assertThat(Names.isValid(name)).isTrue();
    assertThat(Names.isValid("a".repeat(253))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", ".", "..", "-a", "a-", "a/b", "a b", "a\n", "ä", "a\u0000", "@a", "a%2f"})
  void namesWithSpecialCharactersOfUrlsOrFilesAreInvalid(String name) {
    assertThat(Names.isValid(name)).isFalse();
    assertThat(Names.isValid("a".repeat(254))).isFalse();
  }
}
