package verwalter.cluster.joining;

import io.vertx.core.Future;
import java.io.IOException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.certificates.AuthorityRotation;
import verwalter.certificates.ClusterTls;
import verwalter.certificates.Pki;
import verwalter.certificates.ReplacedAuthority;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.cluster.joining.ClusterMember.Peer;
import verwalter.concurrent.Loop;
import verwalter.concurrent.TimedExecutor.Timer;
import verwalter.concurrent.Watch;
import verwalter.model.AuthorityChange;
import verwalter.model.AuthorityChange.Phase;
import verwalter.stores.api.LastingWatch;
import verwalter.stores.api.ObjectStore;

/**
 * Does this node's part of a change of the authority, and reports it to the leader. Each task can
 * be repeated, and a failed one is. A node that was away while the authority was replaced logs what
 * to do. Confined to its loop.
 */
public final class AuthorityMember implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AuthorityMember.class);

  /** How often tasks are tried and reported while there is a change. */
  public static final Duration PERIOD = Duration.ofSeconds(1);

  /** How often a node without a leader asks the others whether they still trust it. */
  private static final Duration LATER = Duration.ofSeconds(15);

  private final Loop loop;
  private final Parts parts;
  private Watch watch = () -> {};
  private Timer timer = () -> {};
  private boolean working;
  private boolean again;
  private boolean closed;

  /**
   * What it needs.
   *
   * @param desk carries out the change while this node leads
   * @param self this node
   * @param trustChanged called when this node trusts other authorities than before
   * @param period how often tasks are tried and reported while there is a change
   */
  public record Parts(
      JoinDesk desk,
      ObjectStore store,
      ClusterState state,
      Pki pki,
      Enrollment enrollment,
      ClusterTls tls,
      ClusterMember self,
      Runnable trustChanged,
      Duration period) {}

  private AuthorityMember(Loop loop, Parts parts) {
    this.loop = loop;
    this.parts = parts;
  }

  /**
   * Follows changes of the authority.
   *
   * @param loop the loop of the desk
   */
  public static AuthorityMember start(Loop loop, Parts parts) {
    var member = new AuthorityMember(loop, parts);
    member.watch =
        LastingWatch.of(parts.store, AuthorityChange.KIND, loop, change -> member.step());
    loop.execute(member::step);
    return member;
  }

  private void step() {
    if (closed || working) {
      again = true;
      return;
    }
    working = true;
    again = false;
    Future.succeededFuture()
        .compose(
            started -> {
              parts.desk.changes().step();
              return work();
            })
        .onComplete(done -> loop.execute(() -> ended(done.cause())));
  }

  private void ended(@Nullable Throwable failure) {
    working = false;
    if (closed) {
      return;
    }
    if (failure != null) {
      failed(failure);
    }
    if (again) {
      step();
      return;
    }
    timer.cancel();
    timer = loop.after(isInProgress() ? parts.period : LATER, this::step);
  }

  private static void failed(Throwable failure) {
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ReplacedAuthority) {
        LOG.error("this node is not a member of the cluster any more: {}", cause.getMessage());
        return;
      }
    }
    LOG.info("a step of the change of the authority is tried again: {}", failure.getMessage());
  }

  private boolean isInProgress() {
    return parts
        .store
        .get(AuthorityChange.KIND, AuthorityChange.CURRENT)
        .filter(it -> it.status().filter(status -> status.phase() == Phase.DONE).isEmpty())
        .isPresent();
  }

  private Future<?> work() {
    var change = AuthorityDesk.current(parts.store);
    if (change.isEmpty() || parts.state.leader().isEmpty()) {
      return parts.state.leader().isEmpty() ? ask() : Future.succeededFuture();
    }
    try {
      var status = change.get().status().orElseThrow();
      var rotation = AuthorityDesk.rotation(status);
      return perform(rotation)
          .compose(performed -> status.phase() == Phase.DONE ? Future.succeededFuture() : report());
    } catch (CertificateException e) {
      return Future.failedFuture(e);
    }
  }

  private Future<?> report() {
    var leader = parts.state.leader();
    try {
      return leader.isEmpty()
          ? Future.succeededFuture()
          : parts.enrollment.report(
              parts.tls, ProgressReport.of(parts.pki), Address.of(leader.get()));
    } catch (IOException e) {
      return Future.failedFuture(e);
    }
  }

  /** Does the tasks of this phase, one after the other. */
  private Future<?> perform(AuthorityRotation rotation) {
    return loop.offload(() -> local(rotation))
        .compose(
            task ->
                task.isEmpty()
                    ? Future.succeededFuture()
                    : remote(rotation, task.get()).compose(done -> perform(rotation)));
  }

  /** Does the tasks that need no other node. Returns the next one that does. Blocks. */
  private Optional<AuthorityRotation.Task> local(AuthorityRotation rotation) throws IOException {
    boolean elector = parts.state.votes(parts.self.node());
    for (; ; ) {
      var prepared = parts.pki.nextAuthority();
      if (prepared.filter(it -> !it.certificate().equals(rotation.next())).isPresent()) {
        parts.pki.removeNextAuthority(); // of a change that was aborted
      }
      var task = rotation.task(parts.pki.progress(parts.self.node(), elector));
      if (task.isEmpty()) {
        return task;
      }
      switch (task.get()) {
        case TRUST -> {
          parts.pki.installTrust(rotation.trust());
          parts.trustChanged.run();
        }
        case PROMOTE -> parts.pki.promoteAuthority();
        default -> {
          return task;
        }
      }
      LOG.info("change of the authority: {} done", task.get());
    }
  }

  private Future<?> remote(AuthorityRotation rotation, AuthorityRotation.Task task) {
    Future<Void> attempt = Future.failedFuture("no other member has the key of the new authority");
    for (var address : task == AuthorityRotation.Task.RENEW ? issuers() : others()) {
      attempt =
          attempt.recover(
              failed ->
                  task == AuthorityRotation.Task.RENEW
                      ? parts
                          .enrollment
                          .renew(parts.tls, parts.self, address)
                          .compose(renewed -> checked(rotation))
                      : parts.enrollment.fetchNextAuthority(parts.tls, address, rotation.next()));
    }
    return attempt.onSuccess(done -> LOG.info("change of the authority: {} done", task));
  }

  private Future<Void> checked(AuthorityRotation rotation) {
    try {
      var chain = parts.pki.node().chain();
      return chain.get(chain.size() - 1).equals(rotation.next())
          ? Future.succeededFuture()
          : Future.failedFuture("the member does not issue certificates of the new authority yet");
    } catch (IOException e) {
      return Future.failedFuture(e);
    }
  }

  /** Where this node renews its certificate: at itself if it issues some, or at the leader. */
  private List<Address> issuers() {
    return parts.state.leader().map(Address::of).map(List::of).orElse(List.of());
  }

  private List<Address> others() {
    return parts.state.members().stream()
        .filter(it -> !it.node().equals(parts.self.node()) && !it.addresses().isEmpty())
        .map(it -> Address.of(it.addresses().get(0)))
        .toList();
  }

  /** Asks the others for the authorities that they trust, to find out if this node is trusted. */
  private Future<?> ask() {
    var known = parts.state.members().isEmpty() ? parts.self.members() : parts.state.members();
    Future<Void> attempt = Future.failedFuture("no other member is known");
    for (Peer each : known) {
      if (!each.node().equals(parts.self.node()) && !each.addresses().isEmpty()) {
        var address = Address.of(each.addresses().get(0));
        attempt =
            attempt.recover(
                failed ->
                    isReplaced(failed)
                        ? Future.failedFuture(failed)
                        : parts.enrollment.ask(parts.tls, address));
      }
    }
    return attempt.recover(
        failed -> isReplaced(failed) ? Future.failedFuture(failed) : Future.succeededFuture());
  }

  private static boolean isReplaced(Throwable failure) {
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ReplacedAuthority) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() {
    loop.execute(
        () -> {
          closed = true;
          watch.close();
          timer.cancel();
        });
  }
}
