package verwalter.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import verwalter.model.json.Json;

/**
 * What the metadata of a version says to the nodes that run it, rather than to the scheduler.
 *
 * @param image its programs, if the node has to prepare them
 * @param update how it replaces others and is changed; absent for the defaults
 * @param start what its start waits for; absent for nothing
 * @param processes the processes of a service that one file describes, by name, as {@code
 *     ServiceCommand} reads them; empty for other roles
 * @param files the files that nodes render for these processes, as {@code RenderedFile} reads them
 */
public record VersionSettings(
    Optional<VersionImage> image,
    Optional<UpdatePolicy> update,
    Optional<StartPolicy> start,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Object> processes,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Object> files) {
  /** The entry of a version's metadata with the processes of a service. */
  public static final String PROCESSES = "verwalter.io/processes";

  /** The entry of a version's metadata with the files of a service. */
  public static final String FILES = "verwalter.io/files";

  /** The settings of a version without any. */
  public static final VersionSettings NONE =
      new VersionSettings(Optional.empty(), Optional.empty(), Optional.empty());

  public VersionSettings {
    update = update.filter(it -> !it.equals(UpdatePolicy.DEFAULT));
    start = start.filter(it -> !it.equals(StartPolicy.NONE));
    processes = Json.freeze(processes);
    files = Json.freeze(files);
  }

  /** The settings of a version of a role with templates. */
  public VersionSettings(
      Optional<VersionImage> image, Optional<UpdatePolicy> update, Optional<StartPolicy> start) {
    this(image, update, start, Map.of(), List.of());
  }

  /** The same settings without the processes and files of a service. */
  public VersionSettings withoutService() {
    return new VersionSettings(image, update, start);
  }

  /** The settings of a version with an image and no policies. */
  public static VersionSettings ofImage(VersionImage image) {
    return new VersionSettings(Optional.of(image), Optional.empty(), Optional.empty());
  }

  /** Whether there are none. */
  boolean areNone() {
    return equals(NONE);
  }

  /** A list; empty if it is something else. */
  static List<Object> list(@Nullable Object json) {
    return json instanceof List<?> items ? List.copyOf(items) : List.of();
  }

  /** The inverse of {@link #json}. What is missing or no setting is absent. */
  static VersionSettings of(@Nullable Object json) {
    var settings = Json.object(json);
    var update = Json.object(settings.get("update"));
    var start = Json.object(settings.get("start"));
    return new VersionSettings(
        VersionImage.of(settings.get("image")),
        Optional.of(
            new UpdatePolicy(
                EnumWords.of(UpdatePolicy.OnFailure.class, update.get("onFailure"))
                    .orElse(UpdatePolicy.OnFailure.WAIT),
                EnumWords.of(UpdatePolicy.Prepare.class, update.get("prepare"))
                    .orElse(UpdatePolicy.Prepare.UNPACK),
                EnumWords.of(UpdatePolicy.Changes.class, update.get("changes"))
                    .orElse(UpdatePolicy.Changes.LIVE))),
        Optional.of(
            new StartPolicy(
                start.get("delaySeconds") instanceof Long seconds ? seconds : 0,
                Optional.ofNullable(start.get("memory"))
                    .filter(Long.class::isInstance)
                    .map(Long.class::cast))),
        Json.object(settings.get("processes")),
        list(settings.get("files")));
  }

  /** These settings as a part of the data of a schedule. */
  Map<String, Object> json() {
    var json = new LinkedHashMap<String, Object>();
    image.ifPresent(it -> json.put("image", it.json()));
    update.ifPresent(
        it ->
            json.put(
                "update",
                Map.of(
                    "onFailure", EnumWords.of(it.onFailure()),
                    "prepare", EnumWords.of(it.prepare()),
                    "changes", EnumWords.of(it.changes()))));
    start.ifPresent(
        it -> {
          var policy = new LinkedHashMap<String, Object>();
          policy.put("delaySeconds", it.delaySeconds());
          it.memory().ifPresent(bytes -> policy.put("memory", bytes));
          json.put("start", policy);
        });
    if (!processes.isEmpty()) {
      json.put("processes", processes);
    }
    if (!files.isEmpty()) {
      json.put("files", files);
    }
    return json;
  }
}
