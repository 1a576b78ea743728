package verwalter.controllers.deployment;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import verwalter.concurrent.Loop;
import verwalter.model.Reason;

/**
 * The files of a {@link FakeDisk}. A work takes one second of virtual time for each ten bytes. A
 * work that is cancelled ends within 100 milliseconds, and succeeds if it was complete.
 */
final class FakeReleaseFiles implements ReleaseFiles {
  private static final long BYTES_A_TICK = 1;

  /** Unused items of this age are removed. */
  static final Duration OLD = Duration.ofDays(7);

  private final FakeDisk disk;
  private boolean recovered;
  private final Loop loop;
  private final RandomGenerator random;

  FakeReleaseFiles(FakeDisk disk, Loop loop, RandomGenerator random) {
    this.disk = disk;
    this.loop = loop;
    this.random = random;
  }

  /** The end of a work. */
  @FunctionalInterface
  private interface End<V> {
    V run() throws ReleaseFailure;
  }

  /** A work that advances with time. */
  private class FakeWork<V> implements ReleaseWork<V> {
    private final Promise<V> done = Promise.promise();
    private final String name;
    private final long total;
    private final End<V> end;
    private long bytes;
    private boolean cancelled;

    FakeWork(String name, long total, End<V> end) {
      this.name = name;
      this.total = total;
      this.end = end;
      disk.history.add(name);
      disk.running.add(name);
      tick();
    }

    private void tick() {
      loop.after(Duration.ofMillis(50 + random.nextInt(50)), this::advance);
    }

    private void advance() {
      if (bytes >= total) {
        finish(end);
      } else if (cancelled) {
        finish(
            () -> {
              throw new ReleaseFailure(Reason.CANCELLED, true, "it was cancelled");
            });
      } else {
        bytes = Math.min(total, bytes + BYTES_A_TICK);
        tick();
      }
    }

    private void finish(End<V> how) {
      disk.running.remove(name);
      try {
        done.complete(how.run());
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
      return new ByteProgress(bytes, Optional.of(total));
    }

    @Override
    public void cancel() {
      cancelled = true;
    }
  }

  private <V> Future<V> soon(Callable<V> work) {
    return loop.offload(
        () -> {
          if (disk.silent) {
            throw new ReleaseFailure(Reason.DISK_FAILED, true, "the disk does not answer");
          }
          return work.call();
        });
  }

  @Override
  public Future<Void> recover(List<Wanted> continued) {
    if (recovered) {
      return Future.succeededFuture();
    }
    return soon(() -> {
          disk.partial.retainAll(continued.stream().map(FakeReleaseFiles::file).toList());
          disk.half.clear();
          recovered = true;
          return true;
        })
        .mapEmpty();
  }

  @Override
  public Future<Contents> contents() {
    return soon(
        () -> {
          var releases = new TreeMap<String, String>();
          disk.releases.keySet().forEach(key -> releases.put(key, path(key)));
          return new Contents(releases, disk.archives.keySet());
        });
  }

  @Override
  public Future<List<String>> collect(Named named) {
    return soon(
        () -> {
          failSometimes();
          var items = new TreeSet<String>(disk.releases.keySet());
          items.addAll(disk.archives.keySet());
          var removed = new ArrayList<String>();
          for (var item : items) {
            if (named.keys().contains(item) || named.digests().contains(item)) {
              disk.named.put(item, loop.now());
            } else if (!disk.named.get(item).isAfter(loop.now().minus(OLD))) {
              disk.history.add("collect " + item);
              disk.releases.remove(item);
              disk.archives.remove(item);
              removed.add(item);
            }
          }
          return removed;
        });
  }

  @Override
  public Future<Found> find(String key, String source, Optional<String> digest) {
    return soon(
        () -> {
          var release =
              source.endsWith("/")
                  ? Optional.of(new Release(source, Optional.empty()))
                  : Optional.ofNullable(disk.releases.get(key)).map(it -> release(key, it));
          return new Found(
              release, digest.flatMap(it -> Optional.ofNullable(disk.archives.get(it))));
        });
  }

  @Override
  public Future<Optional<Long>> archive(String digest) {
    return soon(() -> Optional.ofNullable(disk.archives.get(digest)));
  }

  private static String file(Wanted wanted) {
    return wanted.digest().orElse(wanted.source());
  }

  @Override
  public ReleaseWork<String> fetch(Wanted wanted) {
    var name = "fetch " + file(wanted);
    if (wanted.digest().filter(disk.archives::containsKey).isPresent()) {
      return new FakeWork<>("have " + name, 0, () -> wanted.digest().orElseThrow());
    }
    String sent;
    try {
      sent = disk.request(wanted.source());
      disk.needSpace(disk.size(wanted.digest().orElse(sent)));
    } catch (ReleaseFailure failure) {
      return new FakeWork<>(
          name,
          0,
          () -> {
            throw failure;
          });
    }
    disk.partial.add(file(wanted));
    long bytes = disk.size(wanted.digest().orElse(sent));
    return new FakeWork<>(
        name,
        bytes,
        () -> {
          disk.partial.remove(file(wanted));
          if (!sent.equals(wanted.digest().orElse(sent))) {
            throw new ReleaseFailure(Reason.DIGEST_MISMATCH, true, "it is " + sent);
          }
          disk.archives.put(sent, bytes);
          disk.named.put(sent, loop.now());
          return sent;
        });
  }

  @Override
  public ReleaseWork<Release> create(String key, String digest) {
    var name = "create " + key;
    var existing = Optional.ofNullable(disk.releases.get(key));
    if (existing.isPresent()) {
      return new FakeWork<>(
          name,
          0,
          () -> {
            if (!existing.get().equals(digest)) {
              throw new ReleaseFailure(Reason.BAD_KEY, false, key + " is " + existing.get());
            }
            return release(key, digest);
          });
    }
    disk.half.add(key);
    return new FakeWork<>(
        name,
        disk.size(digest),
        () -> {
          disk.half.remove(key);
          disk.needSpace(disk.size(digest));
          if (!disk.archives.containsKey(digest)) {
            throw new ReleaseFailure(Reason.NOT_FOUND, true, "there is no archive " + digest);
          }
          disk.releases.put(key, digest);
          disk.named.put(key, loop.now());
          return release(key, digest);
        }) {
      @Override
      public void cancel() {
        super.cancel();
        disk.half.remove(key);
      }
    };
  }

  private static Release release(String key, String digest) {
    return new Release(path(key), Optional.of(digest));
  }

  private static String path(String key) {
    return "/releases/" + key + "/files";
  }

  @Override
  public ReleaseWork<List<String>> verify(String key) {
    return new FakeWork<>(
        "verify " + key,
        30,
        () -> {
          if (!disk.releases.containsKey(key)) {
            throw new ReleaseFailure(Reason.NOT_FOUND, true, "there is no release " + key);
          }
          return List.copyOf(disk.differences);
        });
  }

  @Override
  public Future<Void> abandon(Wanted wanted) {
    return soon(() -> {
          disk.abandoned.add(file(wanted));
          disk.partial.remove(file(wanted));
          return true;
        })
        .mapEmpty();
  }

  @Override
  public Future<Void> removeRelease(String key) {
    return soon(() -> {
          if (disk.running.contains("create " + key)) {
            throw new AssertionError("removed while it is created: " + key);
          }
          failSometimes();
          disk.history.add("remove " + key);
          disk.releases.remove(key);
          disk.half.remove(key);
          return true;
        })
        .mapEmpty();
  }

  @Override
  public Future<Void> removeArchive(String digest) {
    if (disk.running.contains("fetch " + digest)) {
      var later = Promise.<Void>promise();
      loop.after(Duration.ofMillis(10), () -> removeArchive(digest).onComplete(later::handle));
      return later.future();
    }
    var removed = Promise.<Void>promise();
    loop.after(disk.removal, () -> removeNow(digest).onComplete(removed::handle));
    return removed.future();
  }

  private Future<Void> removeNow(String digest) {
    return soon(() -> {
          failSometimes();
          disk.history.add("remove " + digest);
          disk.archives.remove(digest);
          return true;
        })
        .mapEmpty();
  }

  private void failSometimes() throws ReleaseFailure {
    if (disk.failingRemovals > 0) {
      disk.failingRemovals--;
      throw new ReleaseFailure(Reason.DISK_FAILED, true, "the disk does not remove it");
    }
  }
}
