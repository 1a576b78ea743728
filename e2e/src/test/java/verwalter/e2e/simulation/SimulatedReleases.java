package verwalter.e2e.simulation;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import verwalter.concurrent.Loop;
import verwalter.controllers.deployment.ReleaseFiles;

/**
 * The archives and releases on the disk of a simulated machine, and the server that it downloads
 * from. They survive its agents. A source has the archive with the digest of its name.
 */
final class SimulatedReleases {
  /** The sources that the server does not have. */
  final Set<String> missing = new TreeSet<>();

  /** The sources whose bytes are damaged. */
  final Set<String> damaged = new TreeSet<>();

  /** The sources whose connection ends after half of the bytes. */
  final Set<String> broken = new TreeSet<>();

  /** The sources of archives that cannot be unpacked. */
  final Set<String> malformed = new TreeSet<>();

  /** Whether the disk has no space. */
  boolean full;

  /** Whether the disk does not answer. */
  boolean silent;

  /** The number of removals that fail next. */
  int failingRemovals;

  /** How long a download takes. */
  Duration download = Duration.ofSeconds(2);

  /** How long an archive is unpacked. */
  Duration unpacking = Duration.ofSeconds(1);

  final Set<String> archives = new TreeSet<>();

  /** The digest of each complete release, by key. */
  final Map<String, String> releases = new TreeMap<>();

  /** The digest of each release that is not complete, by key; its marker says so. */
  final Map<String, String> half = new TreeMap<>();

  /** Parts of archives. */
  final Set<ReleaseFiles.Wanted> partial = new HashSet<>();

  /** The works that run, such as {@code create KEY}; an agent that was killed runs none. */
  final List<String> running = new ArrayList<>();

  /** What was done to the disk, such as {@code create KEY}. */
  final List<String> history = new ArrayList<>();

  /** When each archive, by digest, and each release, by key, was made or last named. */
  final Map<String, Instant> named = new HashMap<>();

  /** The digest of the archive of a source, without the name of the algorithm. */
  static String sha256(String source) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(source.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  static String digest(String source) {
    return "sha256:" + sha256(source);
  }

  /** The number of times that this was done. */
  long count(String what) {
    return history.stream().filter(what::equals).count();
  }

  /** Ends all faults. */
  void heal() {
    List.of(missing, damaged, broken, malformed).forEach(Set::clear);
    full = false;
    silent = false;
    failingRemovals = 0;
    download = Duration.ofSeconds(2);
  }

  /** Makes everything on the disk older. */
  void age(Duration time) {
    named.replaceAll((item, last) -> last.minus(time));
  }

  /** The directory of a release. */
  static String path(String key) {
    return "/releases/" + key + "/files";
  }

  /** Whether an image is there: one of a release is if the release looks like a complete one. */
  boolean has(String image) {
    return MachineView.key(image)
        .filter(key -> !releases.containsKey(key) && !half.containsKey(key))
        .isEmpty();
  }

  /** The disk as one run of an agent uses it on its loop. */
  ReleaseFiles on(Loop loop, CrashPoints points) {
    running.clear();
    return new SimulatedReleaseFiles(this, loop, points);
  }
}
