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
 * What a file said of an object the last time, which an annotation of the object remembers. It is
 * kubectl's annotation, so that both tools may be used on the same objects.
 */
final class LastApplied {
  static final String ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";

  /** Fields only a server sets; they come along when somebody applies what {@code get} printed. */
  private static final List<String> NOT_OURS =
      List.of("uid", "creationTimestamp", "generation", "deletionTimestamp", "managedFields");

  /** What a file says, without what only a server says; there is but one API version to mean. */
  static Map<String, Object> wanted(Map<String, Object> object) {
    var wanted = new LinkedHashMap<>(object);
    wanted.putIfAbsent("apiVersion", ApiClient.GROUP + "/" + ApiClient.VERSION);
    wanted.remove("status");
    var metadata = new LinkedHashMap<>(PlainJson.map(wanted, "metadata"));
    metadata.keySet().removeAll(NOT_OURS);
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

  /** What is wanted, with itself as annotation. */
  static Map<String, Object> remembering(Map<String, Object> wanted) {
    var metadata = new LinkedHashMap<>(PlainJson.map(wanted, "metadata"));
    var annotations = new LinkedHashMap<>(PlainJson.map(metadata, "annotations"));
    annotations.put(ANNOTATION, PlainJson.line(undated(wanted)));
    metadata.put("annotations", annotations);
    return with(wanted, metadata);
  }

  /** The merge patch that makes of {@code live} what is wanted; empty when it is that. */
  static Map<String, Object> patch(Map<String, Object> wanted, Map<String, Object> live) {
    var last = of(live);
    boolean said = MergePatch.between(last, undated(wanted)).isEmpty();
    return MergePatch.merging(last, said ? wanted : remembering(wanted), live);
  }

  /** What was applied the last time; nothing when that is not known. */
  private static Map<String, Object> of(Map<String, Object> live) {
    var text = PlainJson.text(live, "metadata", "annotations", ANNOTATION);
    try {
      return PlainJson.readObject(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException unknown) {
      return Map.of();
    }
  }

  /** Without the version that makes a file hold for one moment only. */
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
