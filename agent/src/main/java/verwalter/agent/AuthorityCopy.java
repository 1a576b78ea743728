package verwalter.agent;

import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.function.Supplier;
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
  private boolean fetching;
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
    var enrollment =
        new Enrollment(
            environment.vertx(),
            identity.files().own(),
            identity.pki(),
            environment.clock(),
            environment.chance());
    var loop = environment.loop("authority");
    var copy = new AuthorityCopy(identity, elector, others, enrollment, loop);
    environment
        .parts()
        .add("copy of the authority", elector.watch(() -> loop.execute(copy::update)));
    loop.execute(copy::update);
  }

  private void update() {
    if (fetching || !elector.follows()) {
      return;
    }
    try {
      boolean present = identity.pki().authority().isPresent();
      if (elector.votes() && !present) {
        fetch();
      } else if (!elector.votes() && present) {
        identity.pki().removeAuthority();
        LOG.info("this node does not vote any more; its copy of the authority's key is removed");
      }
    } catch (IOException failure) {
      later(failure);
    }
  }

  private void fetch() {
    fetching = true;
    var attempt = Future.<Void>failedFuture("no other elector is known");
    for (var address : others.get()) {
      attempt =
          attempt.recover(
              failure -> enrollment.fetchAuthority(identity.tls(), Address.of(address)));
    }
    attempt.onComplete(
        fetched ->
            loop.execute(
                () -> {
                  fetching = false;
                  if (fetched.failed()) {
                    later(fetched.cause());
                  } else {
                    LOG.info("this node votes, and has a copy of the authority's key");
                  }
                }));
  }

  /** Tries again. An update that an event has caused meanwhile takes its place. */
  private void later(Throwable failure) {
    LOG.info(
        "cannot update this node's copy of the authority's key; trying again in 2 s: {}",
        failure.getMessage());
    timer.cancel();
    timer = loop.after(AGAIN, this::update);
  }
}
