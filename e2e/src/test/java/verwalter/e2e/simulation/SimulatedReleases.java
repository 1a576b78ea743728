package verwalter.e2e.simulation;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import verwalter.concurrent.Loop;
import verwalter.controllers.deployment.ByteProgress;
import verwalter.controllers.deployment.ReleaseFailure;
import verwalter.controllers.deployment.ReleaseFiles;
import verwalter.controllers.deployment.ReleaseWork;
import verwalter.model.Reason;

/**
 * The archives and releases on the disk of a simulated machine, and the server that it downloads
 * from. They survive its agents. A source has the archive with the digest of its name.
 */
final class SimulatedReleases {
  private static final Duration DOWNLOAD = Duration.ofSeconds(2);
  private static final Duration UNPACKING = Duration.ofSeconds(1);

  /** The sources that the server does not have. */
  final Set<String> missing = new TreeSet<>();

  /** The sources whose bytes are damaged. */
  final Set<String> damaged = new TreeSet<>();

  /** Whether the disk has no space. */
  boolean full;

  final Set<String> archives = new TreeSet<>();

  /** The digest of each release, by key. */
  final Map<String, String> releases = new TreeMap<>();

  /** What was done to the disk, such as {@code create KEY}. */
  final List<String> history = new ArrayList<>();

  /** The digest of the archive of a source, without the name of the algorithm. */
  static String sha256(String source) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(source.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** The number of times that this was done. */
  long count(String what) {
    return history.stream().filter(what::equals).count();
  }

  ReleaseFiles on(Loop loop) {
    return new View(loop);
  }

  /** The disk as an agent uses it. */
  private final class View implements ReleaseFiles {
    private final Loop loop;

    View(Loop loop) {
      this.loop = loop;
    }

    private <V> Future<V> soon(Supplier<V> answer) {
      return loop.offload(answer::get);
    }

    @Override
    public Future<Void> recover(List<Wanted> continued) {
      return Future.succeededFuture();
    }

    @Override
    public Future<Found> find(String key, String source, Optional<String> digest) {
      return soon(
          () ->
              new Found(
                  Optional.ofNullable(releases.get(key)).map(it -> release(key, it)),
                  digest.filter(archives::contains).map(it -> 1L)));
    }

    private Release release(String key, String digest) {
      return new Release("/releases/" + key + "/files", Optional.of(digest));
    }

    @Override
    public Future<Optional<Long>> archive(String digest) {
      return soon(() -> Optional.of(digest).filter(archives::contains).map(it -> 1L));
    }

    @Override
    public ReleaseWork<String> fetch(Wanted wanted) {
      history.add("fetch " + wanted.source());
      return new Work<>(
          loop,
          DOWNLOAD,
          () -> {
            var digest = "sha256:" + sha256(wanted.source());
            if (missing.contains(wanted.source())) {
              throw new ReleaseFailure(Reason.NOT_FOUND, true, wanted.source() + ": 404");
            } else if (damaged.contains(wanted.source())) {
              throw new ReleaseFailure(Reason.DIGEST_MISMATCH, true, "it has another digest");
            } else if (full) {
              throw new ReleaseFailure(Reason.NO_SPACE, true, "the disk is full");
            }
            archives.add(digest);
            return digest;
          });
    }

    @Override
    public ReleaseWork<Release> create(String key, String digest) {
      history.add("create " + key);
      return new Work<>(
          loop,
          UNPACKING,
          () -> {
            if (full) {
              throw new ReleaseFailure(Reason.NO_SPACE, true, "the disk is full");
            }
            releases.put(key, digest);
            return release(key, digest);
          });
    }

    @Override
    public ReleaseWork<List<String>> verify(String key) {
      return new Work<>(loop, UNPACKING, List::of);
    }

    @Override
    public Future<Void> abandon(Wanted wanted) {
      return Future.succeededFuture();
    }

    @Override
    public Future<Void> removeRelease(String key) {
      return soon(
          () -> {
            if (releases.remove(key) != null) {
              history.add("remove " + key);
            }
            return null;
          });
    }

    @Override
    public Future<Void> removeArchive(String digest) {
      return soon(
          () -> {
            archives.remove(digest);
            return null;
          });
    }

    @Override
    public Future<Contents> contents() {
      var paths = new TreeMap<String, String>();
      releases.forEach((key, digest) -> paths.put(key, release(key, digest).path()));
      return soon(() -> new Contents(paths, archives));
    }

    @Override
    public Future<List<String>> collect(Named named) {
      return soon(
          () -> {
            var unused = new ArrayList<>(releases.keySet());
            unused.removeAll(named.keys());
            releases.keySet().removeAll(unused);
            archives.retainAll(named.digests());
            return unused;
          });
    }
  }

  /** The end of a work. */
  @FunctionalInterface
  private interface End<V> {
    V run() throws ReleaseFailure;
  }

  /** A work that takes some time. */
  private static final class Work<V> implements ReleaseWork<V> {
    private final Promise<V> done = Promise.promise();
    private boolean cancelled;

    Work(Loop loop, Duration time, End<V> end) {
      loop.after(time, () -> finish(end));
    }

    private void finish(End<V> end) {
      if (cancelled) {
        done.fail(new ReleaseFailure(Reason.CANCELLED, true, "it was cancelled"));
        return;
      }
      try {
        done.complete(end.run());
      } catch (ReleaseFailure failure) {
        done.fail(failure);
      }
    }

    @Override
    public Future<V> done() {
      return done.future();
    }

    @Override
    public ByteProgress progress() {
      return ByteProgress.NONE;
    }

    @Override
    public void cancel() {
      cancelled = true;
    }
  }
}
