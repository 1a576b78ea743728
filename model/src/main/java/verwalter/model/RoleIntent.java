package verwalter.model;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What operators want of a role beside its files: annotations of its {@link RoleConfig}. They
 * survive what the owner of the files writes. Pure.
 *
 * @param revision the version that shall run instead of the newest one; the config controller
 *     removes it when the files change
 * @param paused whether the role stays as it is until it is resumed
 * @param scale numbers of processes by name instead of those of the file, on all nodes together;
 *     the config controller removes one when the file changes that number
 * @param restarts the number of the last restart that was requested
 * @param by the operator who changed one of them last, as the client has said
 */
public record RoleIntent(
    Optional<String> revision,
    boolean paused,
    Map<String, Long> scale,
    Optional<Long> restarts,
    Optional<String> by) {
  /** The annotation with the version that shall run. */
  public static final String REVISION = "verwalter.io/undo";

  /** The annotation of a paused role; its value is {@code true}. */
  public static final String PAUSED = "verwalter.io/paused";

  /**
   * The beginning of the annotations with numbers of processes; the name of the process follows.
   */
  public static final String SCALE = "verwalter.io/scale.";

  /** The annotation with the number of the last restart that was requested. */
  public static final String RESTARTS = "verwalter.io/restarts";

  /** The annotation with the name of the operator. */
  public static final String BY = "verwalter.io/requested-by";

  /** The name under which a scheduler finds the intent among the metadata of the role. */
  public static final String KEY = "verwalter.io/intent";

  private static final long MOST = 100_000;

  public RoleIntent {
    scale = Map.copyOf(scale);
  }

  /** The intent of a role. Wrong numbers count as absent. */
  public static RoleIntent of(Resource<RoleConfig.Spec, RoleConfig.Status> role) {
    var annotations = role.meta().annotations();
    var scale = new TreeMap<String, Long>();
    annotations.forEach(
        (name, value) -> {
          if (name.startsWith(SCALE)) {
            number(value).ifPresent(it -> scale.put(name.substring(SCALE.length()), it));
          }
        });
    return new RoleIntent(
        Optional.ofNullable(annotations.get(REVISION)),
        "true".equals(annotations.get(PAUSED)),
        scale,
        Optional.ofNullable(annotations.get(RESTARTS)).flatMap(RoleIntent::number),
        Optional.ofNullable(annotations.get(BY)).filter(it -> !it.isEmpty()));
  }

  private static Optional<Long> number(String text) {
    return text.matches("[0-9]{1,9}")
        ? Optional.of(Long.parseLong(text)).filter(it -> it <= MOST)
        : Optional.empty();
  }

  /** What a scheduler sees: only what is wanted. */
  public Map<String, Object> json() {
    var json = new LinkedHashMap<String, Object>();
    revision.ifPresent(it -> json.put("revision", it));
    if (paused) {
      json.put("paused", true);
    }
    if (!scale.isEmpty()) {
      json.put("scale", scale);
    }
    return json;
  }
}
