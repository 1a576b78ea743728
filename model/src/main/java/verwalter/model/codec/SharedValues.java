package verwalter.model.codec;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import verwalter.model.FreeForm;
import verwalter.model.json.Json;

/**
 * Lets a store keep each free-form mapping of its objects once, however many objects say it: the
 * objects refer to it by its hash.
 *
 * <p>A reference is a mapping with the one entry {@code "$value": hash}. A mapping that reads like
 * one is always detached, so that it cannot be taken for a reference.
 */
public final class SharedValues {
  /** Mappings with a shorter JSON stay in their object; a reference would not save much. */
  public static final int LEAST_BYTES = 128;

  private static final String REFERENCE = "$value";

  /**
   * A spec with references.
   *
   * @param values what it refers to, each once
   */
  public record Detached<S>(S spec, List<Value> values) {
    public Detached {
      values = List.copyOf(values);
    }
  }

  /**
   * A mapping that objects refer to.
   *
   * @param hash SHA-256 of {@code json}, in URL-safe base64 without padding
   * @param json its JSON, with the entries in their order
   */
  public record Value(String hash, ByteBuffer json) {
    public Value {
      json = json.asReadOnlyBuffer();
    }
  }

  /** Gives the mapping that a hash stands for. */
  @FunctionalInterface
  public interface Lookup {
    /** The frozen mapping; the same instance each time, as far as that is cheap. */
    Map<String, Object> value(String hash) throws IOException;
  }

  /** Replaces long mappings in a spec by references. Specs without any are given back as is. */
  public static <S> Detached<S> detach(S spec) {
    var values = new LinkedHashMap<String, Value>();
    var replaced =
        FreeForm.replace(
            spec,
            map -> {
              var json = json(map);
              if (json.length < LEAST_BYTES && !isReference(map)) {
                return map;
              }
              var value = new Value(hash(ByteBuffer.wrap(json)), ByteBuffer.wrap(json));
              values.putIfAbsent(value.hash(), value);
              return Map.of(REFERENCE, value.hash());
            });
    return values.isEmpty()
        ? new Detached<>(spec, List.of())
        : new Detached<>(replaced, List.copyOf(values.values()));
  }

  /**
   * Puts the mappings back that {@link #detach} replaced.
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

  /** The hashes that a spec with references refers to. */
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

  /**
   * The frozen mapping that a JSON text means.
   *
   * @throws IOException if it is not one
   */
  @SuppressWarnings("unchecked") // JSON objects have text keys
  public static Map<String, Object> read(ByteBuffer json) throws IOException {
    var bytes = new byte[json.remaining()];
    json.duplicate().get(bytes);
    return Json.freeze((Map<String, Object>) Wire.MAPPER.readValue(bytes, LinkedHashMap.class));
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
