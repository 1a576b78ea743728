package verwalter.model.codec;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import verwalter.model.FreeForm;
import verwalter.model.json.Json;

/**
 * Replaces the free-form mappings of objects by references, so that a store keeps equal mappings
 * once. Objects refer to a mapping by its hash.
 *
 * <p>A reference is a mapping with the single entry {@code "$value": hash}. A mapping of a user
 * that has the form of a reference is always detached, so that it is not mistaken for one.
 *
 * <p>A mapping of more than {@link #SPLIT_BYTES} is split: entries that are mappings become
 * references. If it has many entries, it becomes {@code "$parts": [hash, ...]}, a list of runs of
 * its entries. The end of a run depends on a single key, so a change of one entry changes one run:
 * a change of one node in a schedule for 1,000 nodes writes a few KB.
 */
public final class SharedValues {
  /** Mappings with a shorter JSON stay in their object, since a reference would save little. */
  public static final int LEAST_BYTES = 128;

  /** Mappings with a longer JSON are split. */
  public static final int SPLIT_BYTES = 16 << 10;

  /** Split mappings with more entries are divided into runs of half as many entries on average. */
  private static final int MOST_ENTRIES = 64;

  private static final String REFERENCE = "$value";
  private static final String PARTS = "$parts";
  private static final String SPLIT = "+";

  /**
   * A spec with references.
   *
   * @param values the values that it refers to, directly or indirectly: each once, after the values
   *     that it refers to itself
   */
  public record Detached<S>(S spec, List<Value> values) {
    public Detached {
      values = List.copyOf(values);
    }
  }

  /**
   * A mapping that objects refer to.
   *
   * @param hash SHA-256 of {@code json}, in URL-safe base64 without padding, after a {@code +} if
   *     it was split
   * @param json its JSON, with the entries in their order
   * @param children hashes of the values that it refers to; empty unless it was split
   */
  public record Value(String hash, ByteBuffer json, List<String> children) {
    public Value {
      json = json.asReadOnlyBuffer();
      children = List.copyOf(children);
    }

    /** Whether its JSON holds references. */
    public boolean isSplit() {
      return !children.isEmpty();
    }
  }

  /** Finds the mapping of a hash. */
  @FunctionalInterface
  public interface Lookup {
    /** Returns the frozen mapping, preferably the same instance each time. */
    Map<String, Object> value(String hash) throws IOException;
  }

  /**
   * Replaces long mappings in a spec by references. A spec without long mappings is returned
   * unchanged.
   */
  public static <S> Detached<S> detach(S spec) {
    var values = new LinkedHashMap<String, Value>();
    var replaced = FreeForm.replace(spec, map -> reduced(map, values));
    return values.isEmpty()
        ? new Detached<>(spec, List.of())
        : new Detached<>(replaced, List.copyOf(values.values()));
  }

  /** The mapping itself if it is short, and a reference to it otherwise. */
  private static Map<String, Object> reduced(Map<String, Object> map, Map<String, Value> values) {
    var json = json(map);
    if (json.length < LEAST_BYTES && !isReference(map)) {
      return map;
    }
    var hash = json.length > SPLIT_BYTES ? split(map, values) : kept(json, List.of(), values);
    return Map.of(REFERENCE, hash);
  }

  private static String kept(byte[] json, List<String> children, Map<String, Value> values) {
    var bytes = ByteBuffer.wrap(json);
    // A split mapping and a user's mapping with the same JSON are different values.
    var hash = children.isEmpty() ? hash(bytes) : SPLIT + hash(bytes);
    values.putIfAbsent(hash, new Value(hash, bytes, children));
    return hash;
  }

  private static String split(Map<String, Object> map, Map<String, Value> values) {
    var entries = new LinkedHashMap<String, Object>();
    map.forEach(
        (key, each) ->
            entries.put(
                key, each instanceof Map<?, ?> ? reduced(Json.object(each), values) : each));
    if (entries.size() <= MOST_ENTRIES) {
      return kept(json(entries), children(entries), values);
    }
    var parts = new ArrayList<String>();
    var run = new LinkedHashMap<String, Object>();
    entries.forEach(
        (key, each) -> {
          run.put(key, each);
          if (endsRun(key)) {
            parts.add(kept(json(run), children(run), values));
            run.clear();
          }
        });
    if (!run.isEmpty()) {
      parts.add(kept(json(run), children(run), values));
    }
    return kept(json(Map.of(PARTS, parts)), parts, values);
  }

  private static boolean endsRun(String key) {
    int mixed = key.hashCode() * 0x9E3779B9;
    return (mixed >>> 16) % (MOST_ENTRIES / 2) == 0;
  }

  /** The references in the entries of a split mapping. */
  private static List<String> children(Map<String, Object> entries) {
    var children = new LinkedHashSet<String>();
    for (var each : entries.values()) {
      if (each instanceof Map<?, ?> map && isReference(Json.object(map))) {
        children.add(String.valueOf(map.get(REFERENCE)));
      }
    }
    return List.copyOf(children);
  }

  /**
   * Restores the mappings that {@link #detach} replaced.
   *
   * @throws IOException if the lookup does
   */
  public static <S> S attach(S spec, Lookup lookup) throws IOException {
    try {
      return FreeForm.replace(
          spec,
          map -> {
            if (!isReference(map)) {
              return map;
            }
            try {
              return lookup.value(String.valueOf(map.get(REFERENCE)));
            } catch (IOException missing) {
              throw new UncheckedIOException(missing);
            }
          });
    } catch (UncheckedIOException missing) {
      throw missing.getCause();
    }
  }

  /** The hashes that a spec with references refers to directly. */
  public static <S> List<String> references(S spec) {
    var hashes = new LinkedHashSet<String>();
    var unused =
        FreeForm.replace(
            spec,
            map -> {
              if (isReference(map)) {
                hashes.add(String.valueOf(map.get(REFERENCE)));
              }
              return map;
            });
    return List.copyOf(hashes);
  }

  /** Whether the value with this hash was split, so that its JSON holds references. */
  public static boolean isSplit(String hash) {
    return hash.startsWith(SPLIT);
  }

  /**
   * The hashes that the JSON of a split value refers to.
   *
   * @throws IOException if the JSON is not one of a split value
   */
  public static List<String> children(ByteBuffer json) throws IOException {
    var map = tree(json);
    return map.size() == 1 && map.get(PARTS) instanceof List<?> parts
        ? parts.stream().map(String::valueOf).toList()
        : children(map);
  }

  /**
   * Reads the frozen mapping of a JSON text.
   *
   * @param split whether to replace references by their mappings
   * @throws IOException if it is not one, or if the lookup fails
   */
  public static Map<String, Object> read(ByteBuffer json, boolean split, Lookup lookup)
      throws IOException {
    var map = tree(json);
    if (!split) {
      return Json.freeze(map);
    }
    var whole = new LinkedHashMap<String, Object>();
    if (map.size() == 1 && map.get(PARTS) instanceof List<?> parts) {
      for (var part : parts) {
        whole.putAll(lookup.value(String.valueOf(part)));
      }
      return Json.freeze(whole);
    }
    for (var entry : map.entrySet()) {
      boolean reference =
          entry.getValue() instanceof Map<?, ?> each && isReference(Json.object(each));
      whole.put(
          entry.getKey(),
          reference
              ? lookup.value(String.valueOf(Json.object(entry.getValue()).get(REFERENCE)))
              : entry.getValue());
    }
    return Json.freeze(whole);
  }

  @SuppressWarnings("unchecked") // JSON objects have text keys
  private static Map<String, Object> tree(ByteBuffer json) throws IOException {
    var bytes = new byte[json.remaining()];
    json.duplicate().get(bytes);
    return (Map<String, Object>) Wire.MAPPER.readValue(bytes, LinkedHashMap.class);
  }

  private static boolean isReference(Map<String, Object> map) {
    return map.size() == 1 && map.get(REFERENCE) instanceof String;
  }

  private static byte[] json(Map<String, Object> map) {
    try {
      return Wire.MAPPER.writeValueAsBytes(map);
    } catch (JsonProcessingException impossible) { // it is free-form JSON
      throw new UncheckedIOException(impossible);
    }
  }

  /** The hash of a mapping with this JSON. */
  public static String hash(ByteBuffer json) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      digest.update(json.duplicate());
      return Base64.getUrlEncoder().withoutPadding().encodeToString(digest.digest());
    } catch (NoSuchAlgorithmException impossible) { // every Java has it
      throw new IllegalStateException(impossible);
    }
  }

  private SharedValues() {}
}
