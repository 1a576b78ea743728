package verwalter.model.service;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import verwalter.model.RoleConfig;
import verwalter.model.VersionSettings;
import verwalter.model.json.Json;

/**
 * The revisions of a service: each distinct content of its file is a version of its role, {@code
 * v1}, {@code v2} and so on. Numbers are never used again. Pure.
 */
public final class ServiceRevisions {
  /** The number of revisions that are kept. */
  public static final int KEPT = 20;

  /** The number of revisions that are kept whatever their size is. */
  private static final int FEWEST = 3;

  /** The size up to which all revisions are kept, in characters: their templates are in them. */
  private static final int LARGEST = 750_000;

  private static final Pattern NUMBER = Pattern.compile("v([0-9]{1,9})");

  /** The setting with the last number that was given away. */
  private static final String LAST = "lastRevision";

  /** The setting with the number of the last restart that was carried out. */
  private static final String RESTARTS = "restarts";

  /** The environment variable by which the processes of a restart differ from those before. */
  private static final String ENVIRONMENT = "VERWALTER_RESTART";

  /**
   * The configuration of a role after its file was read. A content that equals the newest revision
   * changes nothing.
   *
   * @param before the configuration before; that of a role which was no service counts as none
   * @param now the time of a new revision
   */
  public static RoleConfig.Spec next(RoleConfig.Spec before, ServiceFile file, Instant now) {
    return next(before, file, 0, now);
  }

  /**
   * As {@link #next(RoleConfig.Spec, ServiceFile, Instant)}, after restarts. A restart that was
   * requested is a revision with the same content, so that it is rolled out as any other one.
   *
   * @param requested the number of the last restart that was requested; 0 if there was none
   */
  public static RoleConfig.Spec next(
      RoleConfig.Spec before, ServiceFile file, long requested, Instant now) {
    return next(before, new ServiceSource(file), requested, now);
  }

  /**
   * As {@link #next(RoleConfig.Spec, ServiceFile, long, Instant)}, with the templates of the
   * service.
   */
  public static RoleConfig.Spec next(
      RoleConfig.Spec before, ServiceSource source, long requested, Instant now) {
    return next(before, source, requested, Set.of(), now);
  }

  /**
   * As {@link #next(RoleConfig.Spec, ServiceSource, long, Instant)}, for a service that runs.
   *
   * @param used the names of the revisions that processes may run; they are kept
   */
  public static RoleConfig.Spec next(
      RoleConfig.Spec before, ServiceSource source, long requested, Set<String> used, Instant now) {
    var revisions = revisions(before);
    var newest = revisions.lastEntry();
    long done = before.settings().get(RESTARTS) instanceof Long number ? number : 0;
    long restarts = Math.max(done, newest == null ? 0 : requested);
    if (newest != null
        && restarts == done
        && ServiceMetadata.digestOf(newest.getValue())
            .equals(Optional.of(ServiceMetadata.digest(source)))) {
      return before;
    }
    long last = before.settings().get(LAST) instanceof Long number ? number : 0;
    long next = 1 + Math.max(last, highest(before));
    revisions.put(next, restarted(ServiceMetadata.of(source, now), restarts));
    removeOld(revisions, used);
    var versions = new LinkedHashMap<String, Object>();
    revisions.forEach((number, metadata) -> versions.put("v" + number, metadata));
    return new RoleConfig.Spec(
        versions,
        restarts == 0 ? Map.of(LAST, next) : Map.of(LAST, next, RESTARTS, restarts),
        Optional.empty());
  }

  /** Removes old revisions that are not used, while there are too many. */
  private static void removeOld(NavigableMap<Long, Object> revisions, Set<String> used) {
    var unused =
        revisions.headMap(revisions.lastKey()).keySet().stream()
            .filter(number -> !used.contains("v" + number))
            .toList();
    for (var oldest : unused) {
      boolean many =
          revisions.size() > KEPT
              || (revisions.size() > FEWEST
                  && Json.canonical(List.copyOf(revisions.values())).length() > LARGEST);
      if (!many) {
        return;
      }
      revisions.remove(oldest);
    }
  }

  /** The metadata with the number of the restart in the environment of each process. */
  private static Map<String, Object> restarted(Map<String, Object> metadata, long restarts) {
    if (restarts == 0) {
      return metadata;
    }
    var commands = new LinkedHashMap<String, Object>();
    Json.object(metadata.get(VersionSettings.PROCESSES))
        .forEach(
            (name, command) -> {
              var its = new LinkedHashMap<>(Json.object(command));
              var environment = new LinkedHashMap<>(Json.object(its.get("env")));
              environment.put(ENVIRONMENT, Long.toString(restarts));
              its.put("env", environment);
              commands.put(name, its);
            });
    var all = new LinkedHashMap<>(metadata);
    all.put(VersionSettings.PROCESSES, commands);
    return all;
  }

  /**
   * The scales by process of the newest revision; empty if there is none. Two of them are equal if
   * the file gives the same number.
   */
  public static Map<String, Object> scales(RoleConfig.Spec spec) {
    var newest = revisions(spec).lastEntry();
    return newest == null
        ? Map.of()
        : Json.object(Json.object(newest.getValue()).get(ServiceMetadata.SCALE));
  }

  /** The highest number of any version, also of one with templates that the service replaces. */
  private static long highest(RoleConfig.Spec spec) {
    return spec.versions().keySet().stream()
        .map(NUMBER::matcher)
        .filter(Matcher::matches)
        .mapToLong(number -> Long.parseLong(number.group(1)))
        .max()
        .orElse(0);
  }

  private static NavigableMap<Long, Object> revisions(RoleConfig.Spec spec) {
    var revisions = new TreeMap<Long, Object>();
    spec.versions()
        .forEach(
            (name, metadata) -> {
              var number = NUMBER.matcher(name);
              if (number.matches() && ServiceMetadata.digestOf(metadata).isPresent()) {
                revisions.put(Long.parseLong(number.group(1)), metadata);
              }
            });
    return revisions;
  }

  private ServiceRevisions() {}
}
