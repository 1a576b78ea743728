package verwalter.agent;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import verwalter.certificates.ReplacedAuthority;
import verwalter.cluster.joining.ClusterClient;
import verwalter.cluster.joining.ClusterMember;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.cluster.joining.Enrollment;
import verwalter.cluster.joining.Refused;
import verwalter.cluster.zookeeper.ElectorServer;
import verwalter.files.FileAccess;
import verwalter.model.JoinTokenText;

/**
 * Makes this machine a node of a cluster, step by step. A join that was interrupted goes on with
 * the first step that is not done. Blocks.
 */
final class Joining {
  private static final Duration AGAIN = Duration.ofMillis(500);

  /** How often a place is requested: for 15 seconds. */
  private static final int MOST_REQUESTS = 30;

  /** Why a place is refused that may be given soon. */
  private static final Set<Refused.Reason> EARLY =
      Set.of(Refused.Reason.FORBIDDEN, Refused.Reason.NO_LEADER);

  private final ClusterFiles files;
  private final Vertx vertx;
  private final InstantSource clock;
  private final Consumer<String> progress;
  private final Enrollment enrollment;

  /**
   * Prepares a join.
   *
   * @param progress receives a line for each step
   */
  Joining(
      ClusterFiles files,
      Vertx vertx,
      InstantSource clock,
      SecureRandom chance,
      Consumer<String> progress)
      throws IOException {
    FileAccess.PRIVATE.makeDirectories(files.directory());
    if (files.isRemoved() && !files.isCleared()) {
      files.clear();
      files.markCleared();
    }
    this.files = files;
    this.vertx = vertx;
    this.clock = clock;
    this.progress = progress;
    this.enrollment = new Enrollment(vertx, files.own(), files.pki(), clock, chance);
  }

  /** Whether this machine is a member, so that nothing is left to do. */
  static boolean isDone(ClusterFiles files) throws IOException {
    var member = files.member();
    return !files.isRemoved()
        && member.isPresent()
        && (member.get().isElector()
            || ElectorServer.exists(files.ensemble())
            || files.isObserver()
            || files.externalLog().isPresent());
  }

  /**
   * Founds a cluster with this machine as its first node.
   *
   * @param external the ensemble that has its log; empty if the nodes run one
   */
  ClusterMember found(Enrollment.Machine machine, Optional<EnsembleAddress> external)
      throws SetupFailed {
    try {
      if (files.member().isEmpty()) {
        requirePorts(machine);
        files.keepLogIn(external);
      }
      var founded = enrollment.found(machine);
      files.markMember();
      return founded;
    } catch (IOException failure) {
      throw new SetupFailed(ExitCode.SETUP, "cannot found a cluster: " + failure.getMessage());
    }
  }

  /**
   * Joins through a member.
   *
   * @param host any member of the cluster
   * @throws SetupFailed with what failed, why, and what to do next
   */
  ClusterMember join(Address host, JoinTokenText token, Enrollment.Machine machine)
      throws Exception {
    var member = files.member();
    boolean leftOut = member.isPresent() && isLeftOut(member.get(), host, token);
    if (isDone(files) && !leftOut) {
      progress.accept("this machine is %s already".formatted(title(member.get())));
      return member.get();
    }
    if (!leftOut) {
      requireSameCluster(member, token);
    }
    try {
      var joined =
          member.isPresent() && !leftOut ? goOn(member.get()) : enroll(host, token, machine);
      place(host, joined);
      files.markMember();
      progress.accept("this machine is %s now".formatted(title(joined)));
      return joined;
    } catch (Refused refused) {
      var next = refused.next().isEmpty() ? "" : "; next: " + refused.next();
      throw new SetupFailed(
          ExitCode.SETUP, "%s refuses: %s%s".formatted(host, refused.getMessage(), next));
    } catch (SetupFailed | InterruptedException other) {
      throw other;
    } catch (Exception failure) {
      throw new SetupFailed(
          ExitCode.SETUP,
          "cannot join through %s: %s; its agent must run as a node of the cluster, and this machine"
                  .formatted(host, reason(failure))
              + " must reach that address. Then repeat the command");
    }
  }

  /**
   * Whether the authority of this machine's cluster was replaced while it was away: the token is of
   * an authority that it does not know, and the member does not accept its certificate.
   */
  private boolean isLeftOut(ClusterMember member, Address host, JoinTokenText token)
      throws Exception {
    if (files.pki().trust().fingerprints().contains(token.authority())) {
      return false;
    }
    var tls = MemberIdentity.of(member, files, clock).tls();
    return Waiting.forResult(
        enrollment.ask(tls, host).map(false).recover(it -> succeeded(isReplaced(it))));
  }

  private static Future<Boolean> succeeded(boolean value) {
    return Future.succeededFuture(value);
  }

  private static boolean isReplaced(Throwable failure) {
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ReplacedAuthority) {
        return true;
      }
    }
    return false;
  }

  private static String title(ClusterMember member) {
    return "node %s of the cluster %s".formatted(member.node(), member.cluster());
  }

  /** The innermost message, which says what went wrong. */
  private static String reason(Throwable failure) {
    var cause = failure;
    while (cause.getCause() != null && cause.getCause().getMessage() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause.getMessage());
  }

  private void requireSameCluster(Optional<ClusterMember> member, JoinTokenText token)
      throws IOException, SetupFailed {
    if (member.isPresent() && !files.pki().trust().fingerprints().contains(token.authority())) {
      throw new SetupFailed(
          ExitCode.SETUP,
          "this machine is %s, and the token is of another cluster; to leave it, remove %s"
              .formatted(title(member.get()), files.directory()));
    }
  }

  private ClusterMember goOn(ClusterMember member) {
    progress.accept("going on with the join of %s".formatted(title(member)));
    return member;
  }

  private static void requirePorts(Enrollment.Machine machine) throws SetupFailed {
    try {
      NodePorts.requireFree(Address.of(machine.addresses().get(0)));
    } catch (IOException failure) {
      throw new SetupFailed(ExitCode.SETUP, String.valueOf(failure.getMessage()));
    }
  }

  private ClusterMember enroll(Address host, JoinTokenText token, Enrollment.Machine machine)
      throws Exception {
    requirePorts(machine);
    progress.accept("asking %s to admit this machine as node %s".formatted(host, machine.node()));
    return Waiting.forResult(enrollment.join(host, token, machine));
  }

  /** Gets the place in the ensemble, and the certificate for it. */
  private void place(Address host, ClusterMember member) throws Exception {
    var identity = MemberIdentity.of(member, files, clock);
    var own = identity.address();
    try (var client = ClusterClient.member(vertx, identity.tls())) {
      progress.accept("asking for a place among the electors");
      var entry = new ClusterEntry(client, members(host, member));
      ClusterEntry.Place place;
      try {
        place = request(entry, own);
      } catch (Refused refused) {
        if (!ClusterEntry.isEnough(refused)) {
          throw refused;
        }
        progress.accept("it follows the log as an observer: " + refused.getMessage());
        files.markObserver();
        return;
      }
      Waiting.forResult(enrollment.renew(identity.tls(), member, place.by()));
      var external =
          Optional.of(place.placed().ensemble())
              .filter(text -> !text.isEmpty())
              .map(EnsembleAddress::of);
      files.keepLogIn(external);
      if (external.isEmpty() && !ElectorServer.exists(files.ensemble())) {
        ElectorServer.join(files.ensemble(), place.placed().self(), place.placed().others());
      }
    }
  }

  /**
   * Requests the place. The members that are asked may not know this node yet, or no leader while
   * the electors change, so it asks again.
   */
  private ClusterEntry.Place request(ClusterEntry entry, Address own) throws Exception {
    for (int asked = 1; ; asked++) {
      try {
        return Waiting.forResult(entry.request(own.host(), own.port() + 1));
      } catch (Refused refused) {
        if (asked == MOST_REQUESTS || !EARLY.contains(refused.reason())) {
          throw refused;
        }
        if (asked == 1) {
          progress.accept("asking again, because " + refused.getMessage());
        }
        new CountDownLatch(1).await(AGAIN.toMillis(), TimeUnit.MILLISECONDS);
      }
    }
  }

  /** The address that the user gave, and then the other members. */
  private static List<Address> members(Address host, ClusterMember member) {
    var all = new LinkedHashSet<>(List.of(host));
    member.members().forEach(each -> each.addresses().forEach(it -> all.add(Address.of(it))));
    return new ArrayList<>(all);
  }
}
