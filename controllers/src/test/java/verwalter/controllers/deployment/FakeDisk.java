package verwalter.controllers.deployment;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import verwalter.model.Reason;

/** A machine's disk, which outlives agents, and the servers that the machine fetches from. */
final class FakeDisk {
  /** What a server answers to one request. */
  private record Answer(String digest, Optional<ReleaseFailure> failure) {}

  final Map<String, Long> archives = new TreeMap<>();
  final Map<String, String> releases = new TreeMap<>();

  /** When each archive, by digest, and each release, by key, was made or last named. */
  final Map<String, Instant> named = new HashMap<>();

  /** The rests of downloads, by digest or, if that is unknown, by source. */
  final Set<String> partial = new HashSet<>();

  /** The downloads whose rests were removed. */
  final List<String> abandoned = new ArrayList<>();

  final Set<String> half = new HashSet<>();

  /** Works that run, such as {@code fetch DIGEST}; an agent that has crashed runs none. */
  final List<String> running = new ArrayList<>();

  /** Every work that was begun, in order. */
  final List<String> history = new ArrayList<>();

  /** What a comparison of any release finds. */
  final List<String> differences = new ArrayList<>();

  long capacity = Long.MAX_VALUE;
  int failingRemovals;
  boolean silent;

  /** How long the removal of an archive takes. */
  Duration removal = Duration.ofMillis(1);

  private final Map<String, Long> sizes = new HashMap<>();
  private final Map<String, String> sources = new HashMap<>();
  private final Map<String, Deque<Answer>> answers = new HashMap<>();

  /** Lets a source have an archive. */
  void serve(String source, String digest, long bytes) {
    sources.put(source, digest);
    sizes.put(digest, bytes);
  }

  /** Lets the next requests to a source fail. */
  void fail(String source, Reason reason, int times) {
    var failure = new ReleaseFailure(reason, reason != Reason.TOO_LARGE, source + ": " + reason);
    answer(source, new Answer("", Optional.of(failure)), times);
  }

  /** Lets the next requests to a source get other bytes. */
  void corrupt(String source, int times) {
    answer(source, new Answer("sha256:" + "0".repeat(64), Optional.empty()), times);
  }

  private void answer(String source, Answer answer, int times) {
    for (int i = 0; i < times; i++) {
      answers.computeIfAbsent(source, it -> new ArrayDeque<>()).add(answer);
    }
  }

  /** Lets all later requests succeed. */
  void heal() {
    answers.clear();
    capacity = Long.MAX_VALUE;
    failingRemovals = 0;
    silent = false;
  }

  /** The digest of the bytes that the source sends now. */
  String request(String source) throws ReleaseFailure {
    var queue = answers.getOrDefault(source, new ArrayDeque<>());
    if (!queue.isEmpty()) {
      var answer = queue.remove();
      if (answer.failure().isPresent()) {
        throw answer.failure().get();
      }
      return answer.digest();
    }
    var digest = sources.get(source);
    if (digest == null) {
      throw new ReleaseFailure(Reason.NOT_FOUND, true, source + ": 404");
    }
    return digest;
  }

  long size(String digest) {
    return sizes.getOrDefault(digest, 10L);
  }

  long used() {
    return archives.values().stream().mapToLong(it -> it).sum()
        + releases.values().stream().mapToLong(this::size).sum();
  }

  void needSpace(long bytes) throws ReleaseFailure {
    if (capacity - used() < bytes) {
      throw new ReleaseFailure(Reason.NO_SPACE, true, "the disk needs %d bytes".formatted(bytes));
    }
  }

  /** The works of a killed agent end, and their rests stay. */
  void crash() {
    running.clear();
  }

  /** Makes everything on the disk older. */
  void age(Duration time) {
    named.replaceAll((item, last) -> last.minus(time));
  }
}
