package verwalter.model.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import verwalter.model.json.Json;

/**
 * Compares the merge of random schedules with a simple implementation of the rule. {@code
 * -Dvariables.fuzz.count} and {@code -Dvariables.fuzz.seed} set the number of schedules and the
 * seed.
 */
class VariablesFuzzTest {
  private static final long SEED = Long.getLong("variables.fuzz.seed", 1);
  private static final int COUNT = Integer.getInteger("variables.fuzz.count", 80_000);
  private static final List<String> KEYS = List.of("a", "b", "c", "aa", "é", "role", "node", "");

  private static @Nullable Object value(Random random, int depth) {
    return switch (random.nextInt(depth == 0 ? 5 : 8)) {
      case 0 -> null;
      case 1 -> (long) random.nextInt(3);
      case 2 -> random.nextBoolean();
      case 3 -> "text" + random.nextInt(3);
      case 4 -> new ArrayList<@Nullable Object>(Arrays.asList(1L, null));
      default -> object(random, depth - 1);
    };
  }

  private static Map<String, @Nullable Object> object(Random random, int depth) {
    var object = new LinkedHashMap<String, @Nullable Object>();
    for (int i = random.nextInt(6); i > 0; i--) {
      object.put(KEYS.get(random.nextInt(KEYS.size())), value(random, depth));
    }
    return object;
  }

  private static Object layer(Random random) {
    return random.nextInt(20) == 0 ? "no object" : object(random, 2);
  }

  /** From the most to the least specific. */
  private static Map<String, Object> schedule(List<Object> layers) {
    return Map.of(
        "nodes",
        Map.of("n", Map.of("roles", Map.of("r", layers.get(0)), "vars", layers.get(1))),
        "roles",
        Map.of("r", layers.get(2)),
        "vars",
        layers.get(3));
  }

  private static Map<String, Object> merged(List<Object> layers) {
    return Variables.merge(schedule(layers), "n").getOrDefault("r", Map.of());
  }

  /** A second implementation of the rule, which finds the winner for each place of the result. */
  private static Map<String, @Nullable Object> wanted(List<Object> layers) {
    var result = new TreeMap<String, @Nullable Object>();
    var objects = layers.stream().map(layer -> Json.object(layer)).toList();
    for (var key : KEYS) {
      var having = objects.stream().filter(layer -> layer.containsKey(key)).toList();
      if (having.isEmpty()) {
        continue;
      }
      var first = having.get(0).get(key);
      if (first instanceof Map<?, ?>) {
        var inner = new TreeMap<String, @Nullable Object>();
        for (var name : KEYS) {
          having.stream()
              .map(layer -> layer.get(key))
              .filter(Map.class::isInstance)
              .map(Json::object)
              .filter(layer -> layer.containsKey(name))
              .findFirst()
              .ifPresent(layer -> inner.put(name, layer.get(name)));
        }
        result.put(key, inner);
      } else {
        result.put(key, first);
      }
    }
    result.put("role", "r");
    result.putIfAbsent("node", "n"); // null counts as absent
    return result;
  }

  private static Object shuffled(@Nullable Object value, Random random) {
    if (!(value instanceof Map<?, ?> map)) {
      return value == null ? Map.of() : value;
    }
    var keys = new ArrayList<>(map.keySet());
    Collections.shuffle(keys, random);
    var result = new LinkedHashMap<Object, @Nullable Object>();
    for (var key : keys) {
      var inner = map.get(key);
      result.put(key, inner instanceof Map<?, ?> ? shuffled(inner, random) : inner);
    }
    return result;
  }

  @Test
  void theMoreSpecificLayerWinsForNestedFields() {
    for (int i = 0; i < COUNT; i++) {
      var random = new Random(SEED + i);
      var layers = List.of(layer(random), layer(random), layer(random), layer(random));
      var merged = merged(layers);
      assertThat(merged).as("seed %d: %s", SEED + i, layers).isEqualTo(wanted(layers));

      var again = List.<Object>of(merged, layers.get(1), layers.get(2), layers.get(3));
      assertThat(merged(again)).as("again, seed %d: %s", SEED + i, layers).isEqualTo(merged);
      var alone = List.<Object>of(merged, Map.of(), Map.of(), Map.of());
      assertThat(merged(alone)).as("alone, seed %d: %s", SEED + i, layers).isEqualTo(merged);

      var mixed = layers.stream().map(layer -> shuffled(layer, random)).toList();
      assertThat(Json.canonical(merged(mixed)))
          .as("in another order, seed %d: %s", SEED + i, layers)
          .isEqualTo(Json.canonical(merged));
    }
  }
}
