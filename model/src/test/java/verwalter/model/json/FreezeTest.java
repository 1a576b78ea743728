package verwalter.model.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FreezeTest {
  private static Map<String, Object> sample() {
    var map = new LinkedHashMap<String, Object>();
    map.put("z", new ArrayList<>(List.of(1, "two")));
    map.put("a", new LinkedHashMap<>(Map.of("k", true)));
    map.put("none", null);
    return map;
  }

  @Test
  void aFrozenValueEqualsItsSourceAndKeepsItsOrder() {
    var frozen = Json.freeze(sample());
    assertThat(frozen.keySet()).containsExactly("z", "a", "none");
    assertThat(frozen.get("z")).isEqualTo(List.of(1L, "two"));
    assertThat(frozen.get("a")).isEqualTo(Map.of("k", true)).hasSameHashCodeAs(Map.of("k", true));
    assertThat(frozen).containsKey("none").doesNotContainKey("missing");
    assertThat(frozen.get("none")).isNull();
  }

  @Test
  void changingTheSourceDoesNotChangeAFrozenValue() {
    var source = sample();
    var frozen = Json.freeze(source);
    source.clear();
    assertThat(frozen).hasSize(3);
  }

  @Test
  void freezingAFrozenValueReturnsIt() {
    var frozen = Json.freeze(sample());
    assertThat(Json.freeze(frozen)).isSameAs(frozen);
    var around = Json.freeze(Map.of("inner", frozen));
    assertThat(around.get("inner")).isSameAs(frozen);
  }

  @Test
  @SuppressWarnings("unchecked")
  void aFrozenValueIsDeeplyImmutable() {
    var frozen = Json.freeze(sample());
    var list = (List<Object>) frozen.get("z");
    var map = (Map<String, Object>) frozen.get("a");
    assertThatThrownBy(() -> frozen.put("x", 1L)).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> frozen.remove("a")).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(frozen::clear).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> frozen.entrySet().iterator().next().setValue(1L))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> list.set(0, 1L)).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> list.add(1L)).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> map.remove("k")).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void sortedValuesHaveTheirKeysInOrder() {
    assertThat(Json.sorted(Json.freeze(sample())).keySet()).containsExactly("a", "none", "z");
  }

  @Test
  void findsEachKeyAmongManyAndFew() {
    for (int size : new int[] {0, 1, 7, 8, 9, 16, 17, 255, 256, 257, 3000}) {
      Map<String, Object> map = new LinkedHashMap<>();
      for (int i = 0; i < size; i++) {
        map.put("key-" + i * 31, (long) i);
      }
      var frozen = Json.freeze(map);
      assertThat(frozen).isEqualTo(map).hasSize(size);
      assertThat(map).isEqualTo(frozen).hasSameHashCodeAs(frozen);
      map.forEach((key, value) -> assertThat(frozen.get(key)).isEqualTo(value));
      assertThat(frozen.get("key-1")).isNull();
      assertThat(frozen.containsKey(null)).isFalse();
      assertThat(List.copyOf(frozen.keySet())).isEqualTo(List.copyOf(map.keySet()));
      assertThat(List.copyOf(frozen.values())).isEqualTo(List.copyOf(map.values()));
    }
  }

  @Test
  void findsKeysWithEqualHashes() {
    Map<String, Object> map = new LinkedHashMap<>();
    for (var a : List.of("Aa", "BB")) {
      for (var b : List.of("Aa", "BB")) {
        for (var c : List.of("Aa", "BB")) {
          for (var d : List.of("Aa", "BB")) {
            map.put(a + b + c + d, a + b + c + d);
          }
        }
      }
    }
    var frozen = Json.freeze(map);
    map.keySet().forEach(key -> assertThat(frozen.get(key)).isEqualTo(key));
    assertThat(frozen.get("AaAaAaC#")).isNull();
  }

  @Test
  void equalsAMapWithTheSameEntriesInAnotherOrder() {
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("a", 1L);
    one.put("b", 2L);
    Map<String, Object> other = new LinkedHashMap<>();
    other.put("b", 2L);
    other.put("a", 1L);
    assertThat(Json.freeze(one)).isEqualTo(Json.freeze(other));
    other.put("a", 2L);
    assertThat(Json.freeze(one)).isNotEqualTo(Json.freeze(other));
    assertThat(Json.freeze(one)).isNotEqualTo(Json.freeze(Map.of("a", 1L, "b", 3L)));
    assertThat(Json.freeze(one)).isNotEqualTo(Json.freeze(Map.of("a", 1L)));
  }

  @Test
  @SuppressWarnings("unchecked")
  void sharingTakesEqualPartsOfTheEarlierValue() {
    var earlier = Json.freeze(nodes("a", "b"));
    assertThat(Json.sharing(Json.freeze(nodes("a", "b")), earlier)).isSameAs(earlier);

    var later = Json.freeze(nodes("a", "c"));
    var shared = Json.sharing(later, earlier);
    assertThat(shared).isEqualTo(later).isNotEqualTo(earlier);
    var lists = List.of((List<Object>) shared.get("n1"), (List<Object>) shared.get("n2"));
    assertThat(lists.get(0)).isSameAs(earlier.get("n1"));
    assertThat(lists.get(1)).isNotSameAs(earlier.get("n2"));
    assertThat(lists.get(1).get(1)).isSameAs(((List<Object>) earlier.get("n2")).get(1));
  }

  @Test
  void sharingKeepsTheOrderAndSizeOfTheLaterValue() {
    var earlier = Json.freeze(sample());
    Map<String, Object> later = new LinkedHashMap<>();
    later.put("none", null);
    later.put("a", new LinkedHashMap<>(Map.of("k", true)));
    later.put("z", new ArrayList<>(List.of(1, "two", 3)));
    later.put("y", Map.of());
    var shared = Json.sharing(Json.freeze(later), earlier);
    assertThat(shared.keySet()).containsExactly("none", "a", "z", "y");
    assertThat(shared).isEqualTo(Json.freeze(later));
    assertThat(shared.get("a")).isSameAs(earlier.get("a"));
    assertThat(Json.sharing(earlier, shared)).isEqualTo(earlier);
  }

  /** Two nodes with a list each, which ends with a mapping. */
  private static Map<String, Object> nodes(String first, String second) {
    Map<String, Object> nodes = new LinkedHashMap<>();
    nodes.put("n1", List.of(first, Map.of("k", 1L)));
    nodes.put("n2", List.of(second, Map.of("k", 1L)));
    return nodes;
  }
}
