package verwalter.agent;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;
import verwalter.artifacts.ArtifactException;
import verwalter.artifacts.ArtifactSource;
import verwalter.artifacts.ArtifactStore;
import verwalter.artifacts.Blob;
import verwalter.artifacts.Cancellation;
import verwalter.artifacts.Digest;
import verwalter.artifacts.TreeDifference;
import verwalter.artifacts.UnpackedRelease;
import verwalter.artifacts.UnusedItems;
import verwalter.artifacts.WantedArchive;
import verwalter.artifacts.WorkProgress;
import verwalter.concurrent.Loop;
import verwalter.controllers.deployment.ByteProgress;
import verwalter.controllers.deployment.ReleaseFailure;
import verwalter.controllers.deployment.ReleaseFiles;
import verwalter.controllers.deployment.ReleaseWork;
import verwalter.model.Reason;

/** The files of releases in the directories of the agent. */
final class LocalReleaseFiles implements ReleaseFiles, AutoCloseable {
  private final ArtifactStore store;
  private final UnusedItems unused;
  private final Loop loop;
  private final Executor workers;
  private final Set<Cancellation> running = ConcurrentHashMap.newKeySet();
  private Optional<Future<Void>> recovered = Optional.empty();
  private volatile boolean closed;

  /**
   * @param unused what stays of the files that nobody names
   * @param loop completes all futures
   * @param workers runs the calls; more threads than downloads and unpackings at once, since each
   *     of those keeps its thread
   */
  LocalReleaseFiles(ArtifactStore store, UnusedItems unused, Loop loop, Executor workers) {
    this.store = store;
    this.unused = unused;
    this.loop = loop;
    this.workers = workers;
  }

  /** Cancels all calls in progress, and those that follow. */
  @Override
  public void close() {
    closed = true;
    running.forEach(Cancellation::cancel);
  }

  /** A call of the library. */
  @FunctionalInterface
  private interface Call<V> {
    V run(WorkProgress progress, Cancellation cancellation)
        throws ArtifactException, ReleaseFailure;
  }

  /** A call on a thread of its own. */
  private final class LocalWork<V> implements ReleaseWork<V> {
    private final Promise<V> done = Promise.promise();
    private final Cancellation cancellation = new Cancellation();
    private volatile ByteProgress progress = ByteProgress.NONE;

    LocalWork(Call<V> call) {
      running.add(cancellation);
      if (closed) {
        cancellation.cancel();
      }
      try {
        workers.execute(
            () -> {
              var result = attempt(call);
              loop.execute(() -> result.onComplete(done::handle));
            });
      } catch (RejectedExecutionException ending) {
        running.remove(cancellation);
        var failure = new ReleaseFailure(Reason.CANCELLED, true, "the agent ends");
        loop.execute(() -> done.fail(failure));
      }
    }

    private Future<V> attempt(Call<V> call) {
      try {
        if (cancellation.isCancelled()) {
          throw new ReleaseFailure(Reason.CANCELLED, true, "it was cancelled");
        }
        return Future.succeededFuture(call.run(this::show, cancellation));
      } catch (ArtifactException failed) {
        return Future.failedFuture(failure(failed));
      } catch (ReleaseFailure failed) {
        return Future.failedFuture(failed);
      } catch (RuntimeException bug) {
        return Future.failedFuture(new ReleaseFailure(Reason.DISK_FAILED, true, bug.toString()));
      } finally {
        running.remove(cancellation);
      }
    }

    private void show(long done, OptionalLong total, long entries) {
      progress =
          new ByteProgress(
              done, total.isPresent() ? Optional.of(total.getAsLong()) : Optional.empty());
    }

    @Override
    public Future<V> done() {
      return done.future();
    }

    @Override
    public ByteProgress progress() {
      return progress;
    }

    @Override
    public void cancel() {
      cancellation.cancel();
    }
  }

  /** The same failure in the words of conditions. */
  static ReleaseFailure failure(ArtifactException failed) {
    return new ReleaseFailure(
        reason(failed.reason()), failed.isTransient(), String.valueOf(failed.getMessage()));
  }

  /** The reason of the same name. */
  static Reason reason(ArtifactException.Reason reason) {
    return Reason.valueOf(reason.name());
  }

  private <V> Future<V> call(Call<V> call) {
    return new LocalWork<>(call).done();
  }

  /** Is called on the loop. */
  @Override
  public Future<Void> recover(List<Wanted> continued) {
    if (recovered.filter(it -> !it.failed()).isEmpty()) {
      recovered = Optional.of(recovery(continued));
    }
    return recovered.get();
  }

  private Future<Void> recovery(List<Wanted> continued) {
    return call((progress, cancellation) -> store.recover(archives(continued))).mapEmpty();
  }

  private static List<WantedArchive> archives(List<Wanted> all) {
    var archives = new ArrayList<WantedArchive>();
    for (var wanted : all) {
      try {
        archives.add(archive(wanted));
      } catch (ArtifactException malformed) {
        // Nothing was ever fetched.
      }
    }
    return archives;
  }

  @Override
  public Future<Found> find(String key, String source, Optional<String> digest) {
    return call(
        (progress, cancellation) -> {
          var inPlace = directory(source);
          var release =
              inPlace.isPresent()
                  ? inPlace.map(path -> new Release(path.toString(), Optional.empty()))
                  : store.releases().find(key).map(LocalReleaseFiles::release);
          return new Found(release, digest.isPresent() ? size(digest.get()) : Optional.empty());
        });
  }

  /** The directory that a source is at present. */
  private static Optional<Path> directory(String source) throws ArtifactException {
    try {
      return ArtifactSource.parse(source) instanceof ArtifactSource.LocalPath local
              && local.isDirectory()
          ? Optional.of(local.path())
          : Optional.empty();
    } catch (ArtifactException failed) {
      return switch (failed.reason()) {
        case BAD_SOURCE, NOT_FOUND -> Optional.empty(); // fetching says so
        default -> throw failed;
      };
    }
  }

  private Optional<Long> size(String digest) throws ArtifactException {
    Digest known;
    try {
      known = Digest.parse(digest);
    } catch (ArtifactException malformed) {
      return Optional.empty();
    }
    return store.blobs().find(known).map(blob -> blob.bytes());
  }

  private static Release release(UnpackedRelease it) {
    return new Release(it.path().toString(), Optional.of(it.blob().toString()));
  }

  @Override
  public Future<Optional<Long>> archive(String digest) {
    return call((progress, cancellation) -> size(digest));
  }

  @Override
  public ReleaseWork<String> fetch(Wanted wanted) {
    return new LocalWork<>(
        (progress, cancellation) ->
            store.blobs().fetch(archive(wanted), progress, cancellation).digest().toString());
  }

  private static WantedArchive archive(Wanted wanted) throws ArtifactException {
    var source = ArtifactSource.parse(wanted.source());
    return wanted.digest().isPresent()
        ? WantedArchive.of(source, Digest.parse(wanted.digest().get()))
        : WantedArchive.latest(source);
  }

  @Override
  public ReleaseWork<Release> create(String key, String digest) {
    return new LocalWork<>(
        (progress, cancellation) ->
            release(
                store
                    .releases()
                    .create(key, intact(digest, cancellation), progress, cancellation)));
  }

  /** The archive, compared with its digest once more. One that differs is removed. */
  private Blob intact(String digest, Cancellation cancellation)
      throws ArtifactException, ReleaseFailure {
    var known = Digest.parse(digest);
    var blob = store.blobs().find(known);
    if (blob.isEmpty()) {
      throw missing("cannot unpack %s: there is no such archive".formatted(digest));
    } else if (!store.blobs().verify(known, cancellation)) {
      store.blobs().remove(known, cancellation);
      throw missing(
          "cannot unpack %s: the archive was changed on the disk, and is fetched again"
              .formatted(digest));
    }
    return blob.get();
  }

  private static ReleaseFailure missing(String why) {
    return new ReleaseFailure(Reason.NOT_FOUND, true, why);
  }

  @Override
  public ReleaseWork<List<String>> verify(String key) {
    return new LocalWork<>(
        (progress, cancellation) ->
            store.releases().verify(key, progress, cancellation).stream()
                .map(LocalReleaseFiles::text)
                .toList());
  }

  private static String text(TreeDifference difference) {
    var path = difference.path().isEmpty() ? "." : difference.path();
    var what =
        switch (difference.kind()) {
          case MISSING -> "is missing";
          case ADDED -> "is not in the archive";
          case TYPE -> "is of another type";
          case MODE -> "has other permissions";
          case CONTENT -> "has another content";
          case TARGET -> "has another target";
          case UNREADABLE -> "cannot be read";
          case MANIFEST -> "has a damaged list of files";
        };
    return path + " " + what;
  }

  @Override
  public Future<Void> abandon(Wanted wanted) {
    return call((progress, cancellation) -> {
          WantedArchive archive;
          try {
            archive = archive(wanted);
          } catch (ArtifactException malformed) {
            return wanted; // nothing was ever fetched
          }
          store.blobs().abandon(archive, cancellation);
          return wanted;
        })
        .mapEmpty();
  }

  @Override
  public Future<Void> removeRelease(String key) {
    return call((progress, cancellation) -> {
          store.releases().remove(key, cancellation);
          return key;
        })
        .mapEmpty();
  }

  @Override
  public Future<Void> removeArchive(String digest) {
    return call((progress, cancellation) -> {
          store.blobs().remove(Digest.parse(digest), cancellation);
          return digest;
        })
        .mapEmpty();
  }

  @Override
  public Future<Contents> contents() {
    return call(
        (progress, cancellation) -> {
          var releases = new TreeMap<String, String>();
          for (var it : store.releases().list()) {
            releases.put(it.key(), it.path().toString());
          }
          var archives =
              store.blobs().list().stream()
                  .map(it -> it.digest().toString())
                  .collect(Collectors.toSet());
          return new Contents(releases, archives);
        });
  }

  @Override
  public Future<List<String>> collect(Named named) {
    var now = loop.now();
    return call(
        (progress, cancellation) ->
            store
                .collect(
                    new ArtifactStore.Named(named.keys(), digests(named)),
                    unused,
                    now,
                    cancellation)
                .stream()
                .map(it -> "%s %s".formatted(it.kind().name().toLowerCase(Locale.ROOT), it.name()))
                .toList());
  }

  private static Set<Digest> digests(Named named) {
    var digests = new HashSet<Digest>();
    for (var text : named.digests()) {
      try {
        digests.add(Digest.parse(text));
      } catch (ArtifactException malformed) {
        // No archive has it.
      }
    }
    return digests;
  }
}
