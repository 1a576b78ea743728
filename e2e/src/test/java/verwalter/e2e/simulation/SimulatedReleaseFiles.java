package verwalter.e2e.simulation;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import verwalter.concurrent.Loop;
import verwalter.controllers.deployment.ByteProgress;
import verwalter.controllers.deployment.ReleaseFailure;
import verwalter.controllers.deployment.ReleaseFiles;
import verwalter.controllers.deployment.ReleaseWork;
import verwalter.model.Reason;

/**
 * The disk of {@link SimulatedReleases} as one run of an agent uses it. A work has four parts, and
 * the agent can be killed before and after each. Until {@link #recover}, a release that is not
 * complete looks like one that is.
 */
final class SimulatedReleaseFiles implements ReleaseFiles {
  private static final int PARTS = 4;
  private static final long BYTES = 100;
  private static final Duration CANCELLING = Duration.ofMillis(50);
  private static final Duration OLD = Duration.ofDays(7);

  private final SimulatedReleases disk;
  private final Loop loop;
  private final CrashPoints points;

  /** The keys of the releases that this run creates now. */
  private final Set<String> creating = new HashSet<>();

  private boolean recovered;

  SimulatedReleaseFiles(SimulatedReleases disk, Loop loop, CrashPoints points) {
    this.disk = disk;
    this.loop = loop;
    this.points = points;
  }

  private <V> Future<V> soon(Callable<V> answer) {
    return loop.offload(
        () -> {
          if (disk.silent) {
            throw new ReleaseFailure(Reason.DISK_FAILED, true, "the disk does not answer");
          }
          return answer.call();
        });
  }

  /** An effect on the disk, which a killed agent does not have. */
  private Future<Void> change(String what, Callable<?> effect) {
    return soon(() -> {
          points.require("before " + what);
          var done = Optional.ofNullable(effect.call());
          points.require("after " + what);
          return done;
        })
        .mapEmpty();
  }

  @Override
  public Future<Void> recover(List<Wanted> continued) {
    if (recovered) {
      return Future.succeededFuture();
    }
    return change(
        "the recovery",
        () -> {
          disk.half.clear();
          disk.partial.retainAll(continued);
          recovered = true;
          return recovered;
        });
  }

  /** The digest of what looks like a release. */
  private Optional<String> seen(String key) {
    boolean isRest = !recovered && !creating.contains(key);
    return Optional.ofNullable(disk.releases.get(key))
        .or(() -> Optional.ofNullable(disk.half.get(key)).filter(it -> isRest));
  }

  @Override
  public Future<Found> find(String key, String source, Optional<String> digest) {
    return soon(
        () ->
            new Found(
                seen(key).map(it -> release(key, it)),
                digest.filter(disk.archives::contains).map(it -> BYTES)));
  }

  private static Release release(String key, String digest) {
    return new Release(SimulatedReleases.path(key), Optional.of(digest));
  }

  @Override
  public Future<Optional<Long>> archive(String digest) {
    return soon(() -> Optional.of(digest).filter(disk.archives::contains).map(it -> BYTES));
  }

  @Override
  public ReleaseWork<String> fetch(Wanted wanted) {
    var source = wanted.source();
    var present = wanted.digest().filter(disk.archives::contains);
    if (present.isPresent()) {
      return new Work<>(Duration.ZERO, "have " + source, part -> {}, present::get);
    }
    disk.history.add("fetch " + source);
    return new Work<>(
        disk.download,
        "fetch " + wanted.digest().orElse(source),
        part -> {
          if (disk.missing.contains(source)) {
            throw new ReleaseFailure(Reason.NOT_FOUND, true, source + ": 404");
          }
          disk.partial.add(wanted);
          needSpace();
          if (part == PARTS / 2 && disk.broken.contains(source)) {
            throw new ReleaseFailure(Reason.CONNECTION_LOST, true, source + ": the server ended");
          }
        },
        () -> {
          disk.partial.remove(wanted);
          var digest = SimulatedReleases.digest(source);
          // Without a digest there is nothing to compare the archive with.
          if (wanted.digest().isPresent()
              && (disk.damaged.contains(source) || !digest.equals(wanted.digest().get()))) {
            throw new ReleaseFailure(Reason.DIGEST_MISMATCH, true, "it has another digest");
          }
          disk.archives.add(digest);
          disk.named.put(digest, loop.now());
          return digest;
        });
  }

  private void needSpace() throws ReleaseFailure {
    if (disk.full) {
      throw new ReleaseFailure(Reason.NO_SPACE, true, "the disk is full");
    }
  }

  @Override
  public ReleaseWork<Release> create(String key, String digest) {
    var present = Optional.ofNullable(disk.releases.get(key));
    if (present.isPresent()) {
      return new Work<>(
          Duration.ZERO,
          "have " + key,
          part -> {},
          () -> {
            if (!present.get().equals(digest)) {
              throw new ReleaseFailure(Reason.BAD_KEY, false, key + " is " + present.get());
            }
            return release(key, digest);
          });
    }
    disk.history.add("create " + key);
    creating.add(key);
    return new Work<>(
        disk.unpacking,
        "create " + key,
        part -> {
          needSpace();
          if (!disk.archives.contains(digest)) {
            throw new ReleaseFailure(Reason.NOT_FOUND, true, "there is no archive " + digest);
          } else if (disk.malformed.stream()
              .anyMatch(it -> SimulatedReleases.digest(it).equals(digest))) {
            throw new ReleaseFailure(Reason.BAD_ARCHIVE, false, "the archive has a bad entry");
          }
          disk.half.put(key, digest);
        },
        () -> {
          disk.half.remove(key);
          disk.releases.put(key, digest);
          disk.named.put(key, loop.now());
          return release(key, digest);
        }) {
      @Override
      void over() {
        super.over();
        disk.half.remove(key);
        creating.remove(key);
      }
    };
  }

  @Override
  public ReleaseWork<List<String>> verify(String key) {
    return new Work<>(
        disk.unpacking,
        "verify " + key,
        part -> {
          if (!disk.releases.containsKey(key)) {
            throw new ReleaseFailure(Reason.NOT_FOUND, true, "there is no release " + key);
          }
        },
        List::of);
  }

  @Override
  public Future<Void> abandon(Wanted wanted) {
    return change("abandoning " + wanted.source(), () -> disk.partial.remove(wanted));
  }

  @Override
  public Future<Void> removeRelease(String key) {
    return change(
        "removing " + key,
        () -> {
          if (creating.contains(key)) {
            throw new IllegalStateException(key + " is removed while it is created");
          }
          failSometimes();
          if (disk.releases.remove(key) != null) {
            disk.history.add("remove " + key);
          }
          return disk.half.remove(key);
        });
  }

  @Override
  public Future<Void> removeArchive(String digest) {
    return change(
        "removing " + digest,
        () -> {
          failSometimes();
          return disk.archives.remove(digest);
        });
  }

  private void failSometimes() throws ReleaseFailure {
    if (disk.failingRemovals > 0) {
      disk.failingRemovals--;
      throw new ReleaseFailure(Reason.DISK_FAILED, true, "the disk does not remove it");
    }
  }

  @Override
  public Future<Contents> contents() {
    return soon(
        () -> {
          var paths = new TreeMap<String, String>();
          disk.releases.keySet().forEach(key -> paths.put(key, SimulatedReleases.path(key)));
          return new Contents(paths, disk.archives);
        });
  }

  @Override
  public Future<List<String>> collect(Named all) {
    return soon(
        () -> {
          points.require("before a collection");
          var items = new TreeSet<>(disk.releases.keySet());
          items.addAll(disk.archives);
          var unused = new ArrayList<String>();
          for (var item : items) {
            if (all.keys().contains(item) || all.digests().contains(item)) {
              disk.named.put(item, loop.now());
            } else if (!disk.named.get(item).isAfter(loop.now().minus(OLD))) {
              unused.add(item);
              disk.history.add("collect " + item);
            }
          }
          disk.releases.keySet().removeAll(unused);
          disk.archives.removeAll(unused);
          points.require("after a collection");
          return unused;
        });
  }

  /** A part of a work. */
  @FunctionalInterface
  private interface Part {
    void run(int number) throws ReleaseFailure;
  }

  /** The end of a work. */
  @FunctionalInterface
  private interface End<V> {
    V run() throws ReleaseFailure;
  }

  /** A work that takes some time. */
  private class Work<V> implements ReleaseWork<V> {
    private final Promise<V> done = Promise.promise();
    private final Duration time;
    private final String name;
    private final Part part;
    private final End<V> end;
    private int number;

    Work(Duration time, String name, Part part, End<V> end) {
      this.time = time;
      this.name = name;
      this.part = part;
      this.end = end;
      disk.running.add(name);
      loop.after(time.dividedBy(PARTS), this::advance);
    }

    private void advance() {
      if (done.future().isComplete()
          || !points.pass("before part %d of %s".formatted(number, name))) {
        return;
      }
      try {
        if (number < PARTS) {
          part.run(number++);
          loop.after(number < PARTS ? time.dividedBy(PARTS) : Duration.ZERO, this::advance);
        } else {
          var result = end.run();
          if (points.pass("after " + name)) {
            over();
            done.complete(result);
          }
        }
      } catch (ReleaseFailure failure) {
        over();
        done.fail(failure);
      }
    }

    /** It has ended, and the agent lives. */
    void over() {
      disk.running.remove(name);
    }

    @Override
    public Future<V> done() {
      return done.future();
    }

    @Override
    public ByteProgress progress() {
      return new ByteProgress(number * BYTES / PARTS, Optional.of(BYTES));
    }

    @Override
    public void cancel() {
      loop.after(
          CANCELLING,
          () -> {
            if (!done.future().isComplete() && points.pass("before the end of " + name)) {
              over();
              done.fail(new ReleaseFailure(Reason.CANCELLED, true, "it was cancelled"));
            }
          });
    }
  }
}
