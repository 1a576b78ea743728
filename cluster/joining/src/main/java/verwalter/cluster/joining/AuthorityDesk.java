package verwalter.cluster.joining;

import io.vertx.core.Future;
import java.io.IOException;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.certificates.AuthorityRotation;
import verwalter.certificates.AuthorityRotation.Progress;
import verwalter.certificates.CertificateAuthority;
import verwalter.certificates.Pem;
import verwalter.certificates.Pki;
import verwalter.model.AuthorityChange;
import verwalter.model.AuthorityChange.Phase;
import verwalter.model.AuthorityChange.Status;
import verwalter.model.AuthorityChange.Waiting;
import verwalter.model.Resource;
import verwalter.model.Writer;
import verwalter.stores.api.Author;
import verwalter.stores.api.AuthoredStore;
import verwalter.stores.api.ObjectStore;

/**
 * Carries out a change of the authority while this node leads: begins it, collects what nodes have
 * done, and starts the next phase when none has anything left to do. Confined to its loop.
 */
final class AuthorityDesk {
  private static final Logger LOG = LoggerFactory.getLogger(AuthorityDesk.class);

  private final String cluster;
  private final ObjectStore store;
  private final ClusterState state;
  private final Pki pki;
  private final InstantSource clock;
  private final SecureRandom chance;

  /** The last reports by node. A new leader waits for its own. */
  private final Map<String, ProgressReport> reports = new HashMap<>();

  private boolean writing;

  AuthorityDesk(
      String cluster,
      ObjectStore store,
      ClusterState state,
      Pki pki,
      InstantSource clock,
      SecureRandom chance) {
    this.cluster = cluster;
    this.store = store;
    this.state = state;
    this.pki = pki;
    this.clock = clock;
    this.chance = chance;
  }

  /** The change that is in progress, or the last one; empty if none has begun. */
  static Optional<Resource<AuthorityChange.Spec, Status>> current(ObjectStore store) {
    return store
        .get(AuthorityChange.KIND, AuthorityChange.CURRENT)
        .filter(it -> it.status().isPresent());
  }

  /** The change as members carry it out. */
  static AuthorityRotation rotation(Status status) throws CertificateException {
    return new AuthorityRotation(
        AuthorityRotation.Phase.valueOf(status.phase().name()),
        Pem.certificates(status.old()).get(0),
        Pem.certificates(status.next()).get(0));
  }

  /**
   * Receives what a node has done.
   *
   * @throws Refused if the report is malformed
   */
  void report(String node, ProgressReport report) throws Refused {
    try {
      report.of(node, false);
    } catch (CertificateException | RuntimeException malformed) {
      throw new Refused(
          Refused.Reason.INVALID, "the report is malformed: " + malformed.getMessage(), "");
    }
    if (!report.equals(reports.put(node, report))) {
      step();
    }
  }

  /** Does what can be done now. Does nothing while this node does not lead. */
  void step() {
    var epoch = state.epoch();
    var found = store.get(AuthorityChange.KIND, AuthorityChange.CURRENT);
    if (epoch.isEmpty() || found.isEmpty()) {
      reports.clear();
      return;
    }
    if (writing) {
      return;
    }
    try {
      var change = found.get();
      var wanted = next(change, by(epoch));
      wanted.ifPresent(write -> finish(write));
    } catch (IOException | CertificateException e) {
      LOG.error("the change of the authority cannot go on: {}", e.getMessage());
    }
  }

  private void finish(Future<?> write) {
    writing = true;
    write
        .onFailure(e -> LOG.warn("the change of the authority is not stored: {}", e.getMessage()))
        .onComplete(done -> writing = false);
  }

  private Optional<Future<?>> next(
      Resource<AuthorityChange.Spec, Status> change, ObjectStore writer)
      throws IOException, CertificateException {
    if (change.status().isEmpty()) {
      if (change.meta().deleting()) {
        return Optional.empty();
      }
      return Optional.of(
          change.meta().has(AuthorityChange.FINALIZER)
              ? writer.putStatus(change.withStatus(begun(change)))
              : writer.put(change.withMeta(change.meta().adding(AuthorityChange.FINALIZER))));
    }
    var status = change.status().get();
    if (status.phase() == Phase.DONE) {
      return change.meta().has(AuthorityChange.FINALIZER)
          ? Optional.of(
              writer.put(change.withMeta(change.meta().removing(AuthorityChange.FINALIZER))))
          : Optional.empty();
    }
    var following = following(change, status);
    if (following.equals(status)) {
      return Optional.empty();
    }
    if (following.phase() != status.phase()) {
      LOG.info("the change of the authority is in the phase {}", following.phase());
    }
    return Optional.of(writer.putStatus(change.withStatus(following)));
  }

  private ObjectStore by(OptionalLong epoch) {
    return AuthoredStore.of(store, new Author(Writer.JOIN, Optional.empty(), epoch));
  }

  /** Creates the next authority. Its key is on disk before anybody knows of it. */
  private Status begun(Resource<AuthorityChange.Spec, Status> change) throws IOException {
    var old =
        pki.authority()
            .orElseThrow(() -> new IOException("this node does not have the key of the authority"));
    var next = CertificateAuthority.create(cluster, clock.instant(), chance);
    pki.installNextAuthority(next);
    LOG.info("the authority of the cluster is being replaced");
    return new Status(
        change.meta().generation(),
        Phase.DISTRIBUTE,
        Pem.of(List.of(old.certificate())),
        Pem.of(List.of(next.certificate())),
        false,
        List.of());
  }

  private Status following(Resource<AuthorityChange.Spec, Status> change, Status status)
      throws CertificateException {
    boolean abort = change.spec().abort() || change.meta().deleting();
    if (abort && status.phase() == Phase.DISTRIBUTE) {
      // The authority that nobody uses yet is the one that is retired.
      return new Status(
          change.meta().generation(), Phase.RETIRE, status.next(), status.old(), true, List.of());
    }
    var rotation = rotation(status);
    var known = new ArrayList<Progress>();
    var waiting = new ArrayList<Waiting>();
    for (var each : state.members()) {
      var report = reports.get(each.node());
      if (change.spec().without().contains(each.node())) {
        continue;
      }
      if (report == null) {
        waiting.add(new Waiting(each.node(), "has not reported"));
      } else {
        var progress = report.of(each.node(), state.votes(each.node()));
        known.add(progress);
        rotation.task(progress).ifPresent(it -> waiting.add(new Waiting(each.node(), words(it))));
      }
    }
    var phase =
        waiting.isEmpty() && !known.isEmpty()
            ? Phase.valueOf(rotation.advanced(known).phase().name())
            : status.phase();
    return new Status(
        change.meta().generation(),
        phase,
        status.old(),
        status.next(),
        status.aborted(),
        phase == status.phase() ? waiting : List.of());
  }

  private static String words(AuthorityRotation.Task task) {
    return switch (task) {
      case TRUST -> "changes the authorities that it trusts";
      case FETCH_KEY -> "gets the key of the new authority";
      case PROMOTE -> "begins to issue certificates of the new authority";
      case RENEW -> "renews its certificate";
    };
  }
}
