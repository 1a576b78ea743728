package verwalter.controllers.deployment;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.controllers.deployment.ReleaseFiles.Found;
import verwalter.controllers.runtime.Controller;
import verwalter.controllers.runtime.Events;
import verwalter.controllers.runtime.FinalizingReconciler;
import verwalter.controllers.runtime.Result;
import verwalter.controllers.runtime.Writes;
import verwalter.model.Artifact;
import verwalter.model.DeploymentRef;
import verwalter.model.DeploymentRef.Attempts;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.RoleInstance;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Selection;

/** Prepares the release of each deployment ref of one node. */
public final class DeploymentReconciler
    implements FinalizingReconciler<DeploymentRef.Spec, DeploymentRef.Status> {
  /** Time after which it is looked whether a removed release is still used. */
  private static final Duration IN_USE = Duration.ofSeconds(30);

  private final ObjectStore store;
  private final Loop loop;
  private final ReleaseFiles files;
  private final RefEvents events;
  private final String node;
  private final DeploymentLimits limits;
  private final ReleaseWorks works;
  private final DiskRecovery recovery;
  private final ReleaseCollector collector;
  private Consumer<ResourceKey> keys = key -> {};

  /**
   * Closing the controller of this reconciler cancels all works.
   *
   * @param files complete their futures on {@code loop}
   */
  public DeploymentReconciler(
      ObjectStore store,
      Loop loop,
      ReleaseFiles files,
      Events events,
      String node,
      DeploymentLimits limits) {
    this.store = store;
    this.loop = loop;
    this.files = files;
    this.events = new RefEvents(events);
    this.node = node;
    this.limits = limits;
    this.works = new ReleaseWorks(files, loop, limits, key -> keys.accept(key));
    this.recovery = new DiskRecovery(store, files, node);
    this.collector = new ReleaseCollector(store, loop, files, node, recovery, this::spaceFreed);
  }

  /** Builds the controller that runs this reconciler. */
  public Controller.Builder controller() {
    var here = new Selection.Node(node);
    return Controller.named(
            "release",
            FinalizingReconciler.over(store, DeploymentRef.KIND, DeploymentRef.FINALIZER, this))
        .watching(store, DeploymentRef.KIND, here)
        .watching(
            store,
            Artifact.KIND,
            here,
            artifact -> users(artifact.spec().digest()).map(Resource::key))
        .from((on, report) -> begin(report))
        .retrying(limits.backoff())
        .concurrency(8);
  }

  private Watch begin(Consumer<ResourceKey> report) {
    keys = report;
    collector.within(ReleaseCollector.WAIT);
    return () -> {
      collector.close();
      works.close();
    };
  }

  /** Completes when the disk may be used. */
  Future<Void> ready() {
    return recovery.done().compose(recovered -> collector.idle());
  }

  /** Builds the controller of the archives that the refs share. Runs on the same loop. */
  public Controller.Builder artifacts() {
    return new ArtifactReconciler(store, files, node, limits, this).controller();
  }

  @Override
  public boolean concerns(Resource<DeploymentRef.Spec, DeploymentRef.Status> ref) {
    return ref.spec().node().equals(node);
  }

  @Override
  public Future<Result> reconcile(Resource<DeploymentRef.Spec, DeploymentRef.Status> ref) {
    collector.within(ReleaseCollector.PERIOD);
    var wanted = ReleaseWorks.wanted(ref.spec(), ref.status());
    return ready()
        .compose(
            ready -> files.find(DeploymentRef.key(ref.spec()), wanted.source(), wanted.digest()))
        .compose(
            found -> step(ref, observed(ref, found), verification(ref, found)),
            failure -> unknown(ref, ReleaseFailure.of(failure)));
  }

  private Observed observed(Resource<DeploymentRef.Spec, DeploymentRef.Status> ref, Found found) {
    var uid = ref.meta().uid();
    var status = ref.status().orElse(DeploymentRef.Status.INITIAL);
    return new Observed(
        ref.spec(),
        ref.meta().generation(),
        status,
        found,
        status.resolvedDigest().map(this::presence).orElse(Observed.Presence.ABSENT),
        works.fetch(uid),
        works.unpacking(uid),
        works.isHurried(uid) || isBeyond(status.nextRetry()),
        limits.mismatches(),
        loop.now());
  }

  /** Whether a time is later than any attempt can be: the clock was set back meanwhile. */
  private boolean isBeyond(Optional<Instant> retry) {
    var longest = limits.backoff().delay(Integer.MAX_VALUE);
    return retry.filter(it -> it.isAfter(loop.now().plus(longest))).isPresent();
  }

  private Verification verification(
      Resource<DeploymentRef.Spec, DeploymentRef.Status> ref, Found found) {
    var uid = ref.meta().uid();
    return new Verification(
        ref.spec(),
        ref.meta().generation(),
        found,
        works.comparison(uid),
        works.counterOf(uid),
        loop.now());
  }

  private Observed.Presence presence(String digest) {
    return store
        .get(Artifact.KIND, Artifact.name(digest, node))
        .map(it -> it.meta().deleting() ? Observed.Presence.ENDING : Observed.Presence.PRESENT)
        .orElse(Observed.Presence.ABSENT);
  }

  /** Makes one step. The status is durable before the step begins. */
  private Future<Result> step(
      Resource<DeploymentRef.Spec, DeploymentRef.Status> ref,
      Observed seen,
      Verification comparison) {
    var event = seen.event();
    var step = DeploymentTable.next(seen.state(), event);
    var next = NextStatus.of(seen, event, step.next(), limits.backoff());
    var status = comparison.applied(next);
    return Writes.status(store, ref, status)
        .compose(
            written -> {
              events.report(ref.key(), seen.status(), status);
              works.follow(ref, seen, step.action());
              works.follow(ref, comparison, comparison.begins(status));
              return step.action() == DeploymentTable.Action.ADD_ARTIFACT
                  ? addArtifact(status.resolvedDigest().orElseThrow())
                  : Future.succeededFuture();
            })
        .map(done -> Result.again(pause(ref, status)));
  }

  private Future<?> addArtifact(String digest) {
    return store.put(
        Resource.of(Artifact.KIND, Artifact.name(digest, node), new Artifact.Spec(node, digest)));
  }

  /** The time after which the ref is looked at without being named. */
  private Duration pause(
      Resource<DeploymentRef.Spec, DeploymentRef.Status> ref, DeploymentRef.Status status) {
    var uid = ref.meta().uid();
    boolean works =
        isWork(this.works.fetch(uid))
            || isWork(this.works.unpacking(uid))
            || isWork(this.works.comparison(uid));
    if (works) {
      return WorkPool.PACE;
    }
    return status
        .nextRetry()
        .map(time -> Duration.between(loop.now(), time))
        .filter(left -> !left.isNegative() && left.compareTo(limits.audit()) < 0)
        .orElse(limits.audit());
  }

  private static boolean isWork(Optional<? extends WorkState<?>> work) {
    return work.filter(WorkState.Running.class::isInstance).isPresent();
  }

  /** The disk does not say what there is: shows that, and lets the pass be repeated. */
  private Future<Result> unknown(
      Resource<DeploymentRef.Spec, DeploymentRef.Status> ref, ReleaseFailure failure) {
    var last = ref.status().orElse(DeploymentRef.Status.INITIAL);
    return Writes.status(
            store, ref, last.waiting(last.attempts(), last.nextRetry(), failure.text()))
        .compose(written -> Future.failedFuture(failure));
  }

  /** Ends the works of the ref, then removes what they have left, and the release. */
  @Override
  public Future<Boolean> cleanUp(Resource<DeploymentRef.Spec, DeploymentRef.Status> ref) {
    if (!works.leave(ref) || isTooEarly(ref)) {
      return Future.succeededFuture(false);
    }
    var path = ref.status().flatMap(DeploymentRef.Status::path);
    if (path.isEmpty()) {
      return removed(ref);
    }
    var unknown = UnknownProcesses.of(store, node, ref.spec().role());
    if (unknown.isPresent()) {
      return used(ref, "a process of %s may use its files".formatted(unknown.get()));
    }
    var user =
        path.filter(it -> !isGivenUp(ref.spec()))
            .flatMap(it -> NamedReleases.user(store, node, it));
    return user.isPresent() ? used(ref, "%s uses its files".formatted(user.get())) : removed(ref);
  }

  /** Whether its instance runs nothing until another release is unpacked, which needs its space. */
  private boolean isGivenUp(DeploymentRef.Spec ref) {
    return store
        .get(RoleInstance.KIND, RoleInstance.name(ref.role(), ref.node()))
        .flatMap(Resource::status)
        .flatMap(RoleInstance.Status::replacement)
        .filter(RoleInstance.Replacement::preparesDown)
        .isPresent();
  }

  /** Its instance removes what uses a release first. Somebody else may remove the ref before. */
  private Future<Boolean> used(Resource<DeploymentRef.Spec, DeploymentRef.Status> ref, String how) {
    var last = ref.status().orElse(DeploymentRef.Status.INITIAL);
    var why = "cannot be removed: " + how;
    return Writes.status(store, ref, last.waiting(last.attempts(), last.nextRetry(), why))
        .map(
            written -> {
              nameAt(ref.key(), loop.now().plus(IN_USE));
              return false;
            });
  }

  private Future<Boolean> removed(Resource<DeploymentRef.Spec, DeploymentRef.Status> ref) {
    return recovery
        .done()
        .compose(recovered -> abandon(ref))
        .compose(done -> files.removeRelease(DeploymentRef.key(ref.spec())))
        .map(
            done -> {
              collector.within(ReleaseCollector.SOON);
              spaceFreed();
              return true;
            })
        .recover(failure -> undeletable(ref, ReleaseFailure.of(failure)));
  }

  /** Partial downloads stay while another ref continues them. */
  private Future<Void> abandon(Resource<DeploymentRef.Spec, DeploymentRef.Status> ref) {
    var wanted = ReleaseWorks.wanted(ref.spec(), ref.status());
    boolean shared =
        store.list(DeploymentRef.KIND, new Selection.Node(node)).stream()
            .filter(it -> !it.meta().deleting())
            .anyMatch(it -> ReleaseWorks.wanted(it.spec(), it.status()).isOneFileWith(wanted));
    return shared ? Future.succeededFuture() : files.abandon(wanted);
  }

  private Future<Boolean> undeletable(
      Resource<DeploymentRef.Spec, DeploymentRef.Status> ref, ReleaseFailure failure) {
    var last = ref.status().orElse(DeploymentRef.Status.INITIAL);
    var counts = last.attempts();
    var attempts =
        new Attempts(
            counts.resolve(),
            counts.download(),
            counts.verify(),
            counts.create(),
            counts.destroy() + 1);
    var retry = loop.now().plus(limits.backoff().delay((int) Math.min(attempts.destroy(), 1000)));
    return Writes.status(store, ref, last.waiting(attempts, Optional.of(retry), failure.text()))
        .map(
            written -> {
              nameAt(ref.key(), retry);
              return false;
            });
  }

  /** Whether a removal has failed, and is not tried again yet. */
  private boolean isTooEarly(Resource<DeploymentRef.Spec, DeploymentRef.Status> ref) {
    var retry =
        ref.status()
            .filter(status -> status.attempts().destroy() > 0)
            .flatMap(DeploymentRef.Status::nextRetry)
            .filter(loop.now()::isBefore)
            .filter(time -> !isBeyond(Optional.of(time)));
    retry.ifPresent(time -> nameAt(ref.key(), time));
    return retry.isPresent();
  }

  private void nameAt(ResourceKey key, Instant time) {
    loop.after(Duration.between(loop.now(), time), () -> keys.accept(key));
  }

  /** Lets refs try again that wait for space. */
  void spaceFreed() {
    store.list(DeploymentRef.KIND, new Selection.Node(node)).stream()
        .filter(ref -> !ref.meta().deleting())
        .filter(
            ref ->
                ref.status().stream()
                    .flatMap(status -> status.conditions().stream())
                    .anyMatch(it -> it.isFalse() && it.hasReason(Reason.NO_SPACE)))
        .forEach(works::hurry);
  }

  /** The refs that need the archive with this digest, also deleted ones until they are gone. */
  Stream<Resource<DeploymentRef.Spec, DeploymentRef.Status>> users(String digest) {
    return store.list(DeploymentRef.KIND, new Selection.Node(node)).stream()
        .filter(
            ref ->
                ref.status()
                    .flatMap(DeploymentRef.Status::resolvedDigest)
                    .filter(digest::equals)
                    .isPresent());
  }

  /** How far the download of an archive is, if one runs for this ref. */
  Optional<ByteProgress> progress(Resource<DeploymentRef.Spec, DeploymentRef.Status> ref) {
    return works
        .fetch(ref.meta().uid())
        .flatMap(
            work ->
                work instanceof WorkState.Running<String> running
                    ? Optional.of(running.progress())
                    : Optional.empty());
  }
}
