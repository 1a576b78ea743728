package verwalter.agent;

import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.cluster.joining.Enrollment;
import verwalter.concurrent.Loop;
import verwalter.concurrent.TimedExecutor.Timer;

/**
 * Keeps the key of the authority while this node votes, and removes it when it does not. Confined
 * to its loop.
 */
final class AuthorityCopy {
  private static final Logger LOG = LoggerFactory.getLogger(AuthorityCopy.class);
  private static final Duration AGAIN = Duration.ofSeconds(2);

  private final MemberIdentity identity;
  private final ElectorRole elector;
  private final Supplier<Collection<String>> others;
  private final Enrollment enrollment;
  private final Loop loop;
  private boolean busy;

  /** Whether the elector has changed since the present work began. */
  private boolean changed;

  private Timer timer = () -> {};

  private AuthorityCopy(
      MemberIdentity identity,
      ElectorRole elector,
      Supplier<Collection<String>> others,
      Enrollment enrollment,
      Loop loop) {
    this.identity = identity;
    this.elector = elector;
    this.others = others;
    this.enrollment = enrollment;
    this.loop = loop;
  }

  static void start(
      ClusterEnvironment environment,
      MemberIdentity identity,
      ElectorRole elector,
      Supplier<Collection<String>> others)
      throws IOException {
    var enrollment = environment.enrollment(identity);
    var loop = environment.loop("authority");
    var copy = new AuthorityCopy(identity, elector, others, enrollment, loop);
    environment
        .parts()
        .add("copy of the authority", elector.watch(() -> loop.execute(copy::update)));
    loop.execute(copy::update);
  }

  /** Called after each change of the elector. A change during work is noted. */
  private void update() {
    if (busy) {
      changed = true;
      return;
    }
    if (!elector.follows()) {
      return;
    }
    timer.cancel();
    busy = true;
    boolean votes = elector.votes();
    loop.offload(() -> isWanting(votes))
        .compose(wanting -> wanting ? fetch() : Future.succeededFuture())
        .onComplete(done -> loop.execute(() -> finish(done.cause())));
  }

  private void finish(@Nullable Throwable failure) {
    busy = false;
    if (changed) {
      changed = false;
      update();
    } else if (failure != null) {
      LOG.info(
          "cannot update this node's copy of the authority's key; trying again in 2 s: {}",
          failure.getMessage());
      timer = loop.after(AGAIN, this::update);
    }
  }

  /** Removes the key from a node that does not vote. Returns whether the key is to be fetched. */
  private boolean isWanting(boolean votes) throws IOException {
    boolean present = identity.pki().authority().isPresent();
    if (!votes && present) {
      identity.pki().removeAuthority();
      LOG.info("this node does not vote any more; its copy of the authority's key is removed");
    }
    return votes && !present;
  }

  private Future<Void> fetch() {
    var attempt = Future.<Void>failedFuture("no other elector is known");
    for (var address : others.get()) {
      attempt =
          attempt.recover(
              failure -> enrollment.fetchAuthority(identity.tls(), Address.of(address)));
    }
    return attempt.onSuccess(
        fetched -> LOG.info("this node votes, and has a copy of the authority's key"));
  }
}
