package verwalter.controllers.deployment;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import verwalter.controllers.runtime.Controller;
import verwalter.controllers.runtime.FinalizingReconciler;
import verwalter.controllers.runtime.Result;
import verwalter.controllers.runtime.Writes;
import verwalter.model.Artifact;
import verwalter.model.DeploymentRef;
import verwalter.model.Resource;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Selection;

/** Counts the users of each archive of one node, and removes an archive without users. */
final class ArtifactReconciler implements FinalizingReconciler<Artifact.Spec, Artifact.Status> {
  private final ObjectStore store;
  private final ReleaseFiles files;
  private final String node;
  private final DeploymentLimits limits;
  private final DeploymentReconciler refs;

  ArtifactReconciler(
      ObjectStore store,
      ReleaseFiles files,
      String node,
      DeploymentLimits limits,
      DeploymentReconciler refs) {
    this.store = store;
    this.files = files;
    this.node = node;
    this.limits = limits;
    this.refs = refs;
  }

  Controller.Builder controller() {
    var here = new Selection.Node(node);
    return Controller.named(
            "artifact", FinalizingReconciler.over(store, Artifact.KIND, Artifact.FINALIZER, this))
        .watching(store, Artifact.KIND, here)
        .watching(
            store,
            DeploymentRef.KIND,
            here,
            ref ->
                ref.status().flatMap(DeploymentRef.Status::resolvedDigest).stream()
                    .map(digest -> Artifact.KIND.key(Artifact.name(digest, node))))
        .retrying(limits.backoff())
        .concurrency(4);
  }

  @Override
  public boolean concerns(Resource<Artifact.Spec, Artifact.Status> artifact) {
    return artifact.spec().node().equals(node);
  }

  @Override
  public Future<Result> reconcile(Resource<Artifact.Spec, Artifact.Status> artifact) {
    var digest = artifact.spec().digest();
    if (refs.users(digest).findAny().isEmpty()) {
      return store.remove(artifact).map(Result.DONE);
    }
    return refs.ready()
        .compose(ready -> files.archive(digest))
        .compose(
            size -> {
              var users = refs.users(digest).toList();
              boolean runs = users.stream().anyMatch(it -> refs.progress(it).isPresent());
              return Writes.status(store, artifact, status(artifact, users, size))
                  .map(Result.again(runs ? WorkPool.PACE : limits.audit()));
            });
  }

  private Artifact.Status status(
      Resource<Artifact.Spec, Artifact.Status> artifact,
      List<Resource<DeploymentRef.Spec, DeploymentRef.Status>> users,
      Optional<Long> size) {
    var last = artifact.status();
    var progress =
        size.map(ByteProgress::all)
            .or(() -> users.stream().flatMap(it -> refs.progress(it).stream()).findFirst())
            .orElseGet(
                () ->
                    new ByteProgress(
                        last.filter(it -> it.state() == Artifact.State.DOWNLOADING)
                            .map(Artifact.Status::done)
                            .orElse(0L),
                        last.flatMap(Artifact.Status::size)));
    var worst = statuses(users).max((a, b) -> Long.compare(downloads(a), downloads(b)));
    return new Artifact.Status(
        artifact.meta().generation(),
        state(users, size),
        progress.total(),
        progress.done(),
        users.stream().map(Resource::name).sorted().toList(),
        size.isPresent() ? 0 : worst.map(ArtifactReconciler::downloads).orElse(0L),
        size.isPresent()
            ? ""
            : worst.filter(it -> downloads(it) > 0).map(DeploymentRef.Status::reason).orElse(""));
  }

  private static Artifact.State state(
      List<Resource<DeploymentRef.Spec, DeploymentRef.Status>> users, Optional<Long> size) {
    if (size.isPresent()) {
      return Artifact.State.VERIFIED;
    }
    return statuses(users).anyMatch(it -> it.state() == DeploymentRef.State.DOWNLOADING)
        ? Artifact.State.DOWNLOADING
        : Artifact.State.NONE;
  }

  private static Stream<DeploymentRef.Status> statuses(
      List<Resource<DeploymentRef.Spec, DeploymentRef.Status>> users) {
    return users.stream().flatMap(it -> it.status().stream());
  }

  private static long downloads(DeploymentRef.Status status) {
    return status.attempts().download() + status.attempts().verify();
  }

  /** A user that came meanwhile keeps the archive, and makes its object anew. */
  @Override
  public Future<Boolean> cleanUp(Resource<Artifact.Spec, Artifact.Status> artifact) {
    var digest = artifact.spec().digest();
    if (refs.users(digest).findAny().isPresent()) {
      return Future.succeededFuture(true);
    }
    return refs.ready()
        .compose(ready -> files.removeArchive(digest))
        .map(
            done -> {
              refs.spaceFreed();
              return true;
            });
  }
}
