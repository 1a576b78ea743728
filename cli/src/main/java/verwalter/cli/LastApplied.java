package verwalter.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import verwalter.cli.json.MergePatch;
import verwalter.client.ApiClient;
import verwalter.client.json.PlainJson;

/**
 * The last applied configuration of an object, stored in an annotation of the object. It is
 * kubectl's annotation, so both tools can be used on the same objects.
 */
final class LastApplied {
  static final String ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";

  /**
   * Fields that only the server sets. They are in the output of {@code get}, which may be applied
   * again.
   */
  private static final List<String> SERVER_FIELDS =
      List.of("uid", "creationTimestamp", "generation", "deletionTimestamp", "managedFields");

  /**
   * The content of a file without the fields that only a server sets; the API version is optional.
   */
  static Map<String, Object> wanted(Map<String, Object> object) {
    var wanted = new LinkedHashMap<>(object);
    wanted.putIfAbsent("apiVersion", ApiClient.GROUP + "/" + ApiClient.VERSION);
    wanted.remove("status");
    var metadata = new LinkedHashMap<>(PlainJson.map(wanted, "metadata"));
    metadata.keySet().removeAll(SERVER_FIELDS);
    var annotations = new LinkedHashMap<>(PlainJson.map(metadata, "annotations"));
    annotations.remove(ANNOTATION);
    if (annotations.isEmpty()) {
      metadata.remove("annotations");
    } else {
      metadata.put("annotations", annotations);
    }
    wanted.put("metadata", metadata);
    return wanted;
  }

  /** The wanted object with its own text as annotation. */
  static Map<String, Object> remembering(Map<String, Object> wanted) {
    var metadata = new LinkedHashMap<>(PlainJson.map(wanted, "metadata"));
    var annotations = new LinkedHashMap<>(PlainJson.map(metadata, "annotations"));
    annotations.put(ANNOTATION, PlainJson.line(undated(wanted)));
    metadata.put("annotations", annotations);
    return with(wanted, metadata);
  }

  /** The merge patch from {@code live} to the wanted object; empty if they match. */
  static Map<String, Object> patch(Map<String, Object> wanted, Map<String, Object> live) {
    var last = of(live);
    boolean said = MergePatch.between(last, undated(wanted)).isEmpty();
    return MergePatch.merging(last, said ? wanted : remembering(wanted), live);
  }

  /** The configuration that was applied last; empty if it is not known. */
  private static Map<String, Object> of(Map<String, Object> live) {
    var text = PlainJson.text(live, "metadata", "annotations", ANNOTATION);
    try {
      return PlainJson.readObject(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException unknown) {
      return Map.of();
    }
  }

  /** The object without its resource version, with which a file could be applied only once. */
  private static Map<String, Object> undated(Map<String, Object> wanted) {
    var metadata = new LinkedHashMap<>(PlainJson.map(wanted, "metadata"));
    metadata.remove("resourceVersion");
    return with(wanted, metadata);
  }

  private static Map<String, Object> with(
      Map<String, Object> object, Map<String, Object> metadata) {
    var copy = new LinkedHashMap<>(object);
    copy.put("metadata", metadata);
    return copy;
  }

  private LastApplied() {}
}
