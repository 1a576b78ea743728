package verwalter.model.service;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import verwalter.model.RoleConfig;

/**
 * The revisions of a service: each distinct content of its file is a version of its role, {@code
 * v1}, {@code v2} and so on. Numbers are never used again. Pure.
 */
public final class ServiceRevisions {
  /** The number of revisions that are kept. */
  public static final int KEPT = 20;

  private static final Pattern NUMBER = Pattern.compile("v([0-9]{1,9})");

  /** The setting with the last number that was given away. */
  private static final String LAST = "lastRevision";

  /**
   * The configuration of a role after its file was read. A content that equals the newest revision
   * changes nothing.
   *
   * @param before the configuration before; that of a role which was no service counts as none
   * @param now the time of a new revision
   */
  public static RoleConfig.Spec next(RoleConfig.Spec before, ServiceFile file, Instant now) {
    var revisions = revisions(before);
    var newest = revisions.lastEntry();
    if (newest != null
        && ServiceMetadata.digestOf(newest.getValue())
            .equals(Optional.of(ServiceMetadata.digest(file)))) {
      return before;
    }
    long last = before.settings().get(LAST) instanceof Long number ? number : 0;
    long next = 1 + Math.max(last, highest(before));
    revisions.put(next, ServiceMetadata.of(file, now));
    while (revisions.size() > KEPT) {
      revisions.pollFirstEntry();
    }
    var versions = new LinkedHashMap<String, Object>();
    revisions.forEach((number, metadata) -> versions.put("v" + number, metadata));
    return new RoleConfig.Spec(versions, Map.of(LAST, next), Optional.empty());
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
