package verwalter.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import verwalter.model.json.Json;

/**
 * Reads what administrators write for the nodes into the metadata of a version: {@code image: {url:
 * SOURCE, sha256: DIGITS}}, {@code update: {on-failure: revert, prepare: verify, changes: staged}}
 * and {@code start: {delay: 60s, memory: 2GB}}. All other entries are for the scheduler, and so are
 * these names in a version without an image if their values are no mappings. Pure.
 *
 * @param settings what could be read; a wrong value counts as absent
 * @param problems the wrong values
 */
public record VersionMetadata(VersionSettings settings, List<Wrong> problems) {
  /**
   * A wrong value.
   *
   * @param entry the entry of the metadata: {@code update} or {@code start}
   * @param message the field, what is allowed, and what was found
   */
  public record Wrong(String entry, String message) {}

  public VersionMetadata {
    problems = List.copyOf(problems);
  }

  /** Reads the metadata of a version. */
  public static VersionMetadata of(@Nullable Object metadata) {
    var entries = Json.object(metadata);
    var image = VersionImage.ofVersion(metadata);
    var problems = new ArrayList<Wrong>();
    var update = new Fields("update", entries.get("update"), image.isPresent(), problems);
    var start = new Fields("start", entries.get("start"), image.isPresent(), problems);
    var settings =
        new VersionSettings(
            image,
            Optional.of(
                new UpdatePolicy(
                    update.word("on-failure", UpdatePolicy.OnFailure.WAIT),
                    update.word("prepare", UpdatePolicy.Prepare.UNPACK),
                    update.word("changes", UpdatePolicy.Changes.LIVE))),
            Optional.of(
                new StartPolicy(
                    start
                        .value("delay", Quantities::seconds, Quantities.SECONDS_ALLOWED)
                        .orElse(0L),
                    start.value("memory", Quantities::bytes, Quantities.BYTES_ALLOWED))),
            Json.object(entries.get(VersionSettings.PROCESSES)),
            VersionSettings.list(entries.get(VersionSettings.FILES)));
    update.end();
    if (settings.update().filter(UpdatePolicy::contradictsItself).isPresent()) {
      update.wrong("prepare", "unpack if update.on-failure is revert", "verify");
    }
    start.end();
    return new VersionMetadata(settings, problems);
  }

  /** The fields of one mapping. */
  private static final class Fields {
    private final String name;
    private final Map<String, Object> fields;
    private final List<Wrong> problems;
    private final Set<String> known = new TreeSet<>();

    Fields(String name, @Nullable Object value, boolean required, List<Wrong> problems) {
      this.name = name;
      this.fields = Json.object(value);
      this.problems = problems;
      if (value != null && !(value instanceof Map<?, ?>) && required) {
        problems.add(new Wrong(name, name + " must be a mapping, not " + value));
      }
    }

    <E extends Enum<E>> E word(String field, E standard) {
      var type = standard.getDeclaringClass();
      return value(field, it -> EnumWords.of(type, it), String.join(" or ", EnumWords.all(type)))
          .orElse(standard);
    }

    <V> Optional<V> value(String field, Function<Object, Optional<V>> read, String allowed) {
      known.add(field);
      var value = fields.get(field);
      if (value == null) {
        return Optional.empty();
      }
      var result = read.apply(value);
      if (result.isEmpty()) {
        wrong(field, allowed, value);
      }
      return result;
    }

    void wrong(String field, String allowed, Object value) {
      problems.add(
          new Wrong(name, "%s.%s must be %s, not %s".formatted(name, field, allowed, value)));
    }

    /** Reports the fields that were not read. */
    void end() {
      fields.keySet().stream()
          .filter(field -> !known.contains(field))
          .sorted()
          .forEach(
              field ->
                  problems.add(
                      new Wrong(
                          name,
                          "%s.%s is not known; %s has the fields %s"
                              .formatted(name, field, name, String.join(", ", known)))));
    }
  }
}
