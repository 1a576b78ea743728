package verwalter.cluster.joining;

import io.vertx.core.Future;
import java.io.IOException;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.certificates.CertificateAuthority;
import verwalter.certificates.CertificateRequest;
import verwalter.certificates.CertifiedKey;
import verwalter.certificates.CertifiedName;
import verwalter.certificates.Pem;
import verwalter.certificates.Pki;
import verwalter.certificates.TrustBundle;
import verwalter.cluster.joining.ClusterMember.Peer;
import verwalter.cluster.joining.ClusterMember.Role;
import verwalter.model.JoinToken;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.model.Writer;
import verwalter.stores.api.Author;
import verwalter.stores.api.AuthoredStore;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.StoreException;

/**
 * Admits machines to the cluster and issues certificates. A join first spends a use of the token,
 * by comparing and setting its status, then binds the name to the machine in the Node, then issues
 * the certificate. If it is interrupted, the machine repeats it without another use. Confined to
 * the loop of its server.
 */
public final class JoinDesk {
  private static final Logger LOG = LoggerFactory.getLogger(JoinDesk.class);
  private static final int MOST_TRIES = 10;

  /** How long a token stays after it has expired, so that its refusal says why. */
  private static final Duration KEPT = Duration.ofDays(7);

  private final String cluster;
  private final ObjectStore store;
  private final ClusterState state;
  private final Pki pki;
  private final InstantSource clock;
  private final SecureRandom chance;
  private final AuthorityDesk changes;

  /**
   * @param cluster id of the cluster
   * @param store the store without restrictions; each write states its author
   * @param pki contains the key of the authority
   */
  public JoinDesk(
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
    this.changes = new AuthorityDesk(cluster, store, state, pki, clock, chance);
  }

  /** Carries out changes of the authority. */
  AuthorityDesk changes() {
    return changes;
  }

  /**
   * Receives what a node has done of a change of the authority.
   *
   * @throws Refused if it is not a node of this cluster now, or this node does not lead
   */
  void progress(CertifiedName node, ProgressReport report) throws Refused {
    var member = member(node);
    leading();
    changes.report(member.node(), report);
  }

  /**
   * The key of the next authority, for an elector, while the authority is being replaced.
   *
   * @throws Refused if it is no elector, or this node does not have the key
   */
  CertifiedKey nextAuthority(CertifiedName node) throws Refused {
    requireElector(node);
    try {
      var next = pki.nextAuthority();
      // The node may have begun to use it.
      return next.isPresent() ? next.get() : authority();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Admits a machine. The future fails with {@link Refused}. */
  Future<IssuedCertificate> join(JoinRequest request) {
    return join(request, 1);
  }

  private Future<IssuedCertificate> join(JoinRequest request, int tries) {
    try {
      long epoch = leading();
      var key = key(request.request());
      var token = store.get(JoinToken.KIND, request.token());
      var node = store.get(Node.KIND, request.node());
      var decision =
          JoinDecision.decide(
              request,
              TrustBundle.fingerprint(key),
              new JoinDecision.Situation(token, node, state.members(), clock.instant()));
      return spend(token, decision, epoch)
          .compose(spent -> bind(request, node))
          .compose(bound -> issued(key, request))
          .onSuccess(
              issued -> {
                LOG.info(
                    "node={} machine={} token={} joined the cluster",
                    request.node(),
                    request.machine(),
                    request.token());
                removeExpired(epoch);
              })
          .recover(
              failure ->
                  isOvertaken(failure) && tries < MOST_TRIES
                      ? join(request, tries + 1)
                      : Future.failedFuture(failure));
    } catch (Refused refused) {
      LOG.info(
          "node={} machine={} token={} may not join: {}",
          printable(request.node()),
          printable(request.machine()),
          printable(request.token()),
          refused.reason());
      return Future.failedFuture(refused);
    }
  }

  private Future<IssuedCertificate> issued(PublicKey key, JoinRequest request) {
    try {
      return Future.succeededFuture(issue(key, request.node(), false, request.addresses()));
    } catch (Refused e) {
      return Future.failedFuture(e);
    }
  }

  /** A text of a stranger, for the log. */
  private static String printable(String text) {
    return text.codePoints()
        .limit(80)
        .map(it -> it > ' ' && it < 127 ? it : '?')
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static boolean isOvertaken(Throwable failure) {
    return failure instanceof StoreException.Conflict
        || failure instanceof StoreException.Exists
        || failure instanceof StoreException.Missing;
  }

  private long leading() throws Refused {
    return state.epoch().orElseThrow(() -> Refused.notLeading(state.leader()));
  }

  private static PublicKey key(String request) throws Refused {
    try {
      return CertificateRequest.key(request);
    } catch (CertificateException e) {
      throw new Refused(
          Refused.Reason.INVALID, "the certificate request is not valid: " + e.getMessage(), "");
    }
  }

  private Future<?> spend(
      Optional<Resource<JoinToken.Spec, JoinToken.Status>> token,
      JoinDecision decision,
      long epoch) {
    return decision.spent().isEmpty()
        ? Future.succeededFuture()
        : by(Writer.JOIN, epoch).putStatus(token.orElseThrow().withStatus(decision.spent().get()));
  }

  private ObjectStore by(Writer writer, long epoch) {
    return AuthoredStore.of(store, new Author(writer, Optional.empty(), OptionalLong.of(epoch)));
  }

  /** Creates the Node with the machine's id, or adds the id to one that an operator created. */
  private Future<?> bind(JoinRequest request, Optional<Resource<Node.Spec, Node.Status>> node) {
    if (node.flatMap(Node::machineId).isPresent()) {
      return Future.succeededFuture();
    }
    var its = AuthoredStore.of(store, Author.ofNode(Writer.NODE, request.node()));
    var status =
        new Node.Status(
            0,
            List.of(),
            Map.of(
                Node.MACHINE_ID,
                request.machine(),
                StoredState.ADDRESSES,
                String.join(",", request.addresses())),
            new Node.Capacity(0, 0),
            Optional.empty(),
            new Node.Roles(0, 0, 0),
            List.of());
    return node.isPresent()
        ? its.putStatus(node.get().withStatus(status))
        : its.put(member(request.node()).withStatus(status));
  }

  private static Resource<Node.Spec, Node.Status> member(String name) {
    var node = Resource.<Node.Spec, Node.Status>of(Node.KIND, name, new Node.Spec(false));
    return node.withMeta(node.meta().adding(Node.MEMBER));
  }

  /**
   * Issues the next certificate of a node. Its name is that of the present one, which the
   * connection has proved; the request cannot name another.
   *
   * @throws Refused if it is not a node of this cluster now
   */
  IssuedCertificate renew(CertifiedName node, RenewalRequest request) throws Refused {
    var member = member(node);
    JoinDecision.checkAddresses(node.name(), request.addresses(), state.members());
    var issued =
        issue(
            key(request.request()),
            node.name(),
            member.role() == Role.ELECTOR,
            request.addresses());
    LOG.info("node={} renewed its certificate", node.name());
    return issued;
  }

  /**
   * Gives a node another name, which a token of an admin names, and issues its certificate. The
   * future fails with {@link Refused}.
   */
  Future<IssuedCertificate> rename(CertifiedName peer, RenameRequest request) {
    return rename(peer, request, 1);
  }

  private Future<IssuedCertificate> rename(CertifiedName peer, RenameRequest request, int tries) {
    try {
      leading();
      var member = member(peer);
      var key = key(request.request());
      var from = store.get(Node.KIND, peer.name()).orElseThrow();
      var decision =
          RenameDecision.decide(
              request.name(),
              TrustBundle.fingerprint(key),
              new RenameDecision.Situation(
                  from,
                  store.get(Node.KIND, request.name()),
                  store.list(JoinToken.KIND),
                  clock.instant()));
      var written =
          decision.writes().isEmpty() ? Future.succeededFuture() : store.commit(decision.writes());
      return written
          .compose(done -> renamed(key, request.name(), member))
          .recover(
              failure ->
                  isOvertaken(failure) && tries < MOST_TRIES
                      ? rename(peer, request, tries + 1)
                      : Future.failedFuture(failure));
    } catch (Refused refused) {
      LOG.info(
          "node={} may not be renamed to {}: {}",
          peer.name(),
          printable(request.name()),
          refused.reason());
      return Future.failedFuture(refused);
    }
  }

  private Future<IssuedCertificate> renamed(PublicKey key, String name, Peer before) {
    try {
      boolean elector = before.role() == Role.ELECTOR || state.votes(name);
      var issued = issue(key, name, elector, before.addresses());
      LOG.info("node={} is named {} now", before.node(), name);
      return Future.succeededFuture(issued);
    } catch (Refused e) {
      return Future.failedFuture(e);
    }
  }

  private Peer member(CertifiedName node) throws Refused {
    if (node.type() == CertifiedName.Type.NODE) {
      for (var each : state.members()) {
        if (each.node().equals(node.name())) {
          return each;
        }
      }
    }
    throw new Refused(
        Refused.Reason.FORBIDDEN,
        node.title() + " is not a node of this cluster now",
        "verwalter join HOST --token T");
  }

  /**
   * The key of the authority, for an elector: both its certificate and the cluster must say so.
   *
   * @throws Refused if it is no elector
   */
  CertifiedKey authority(CertifiedName node) throws Refused {
    requireElector(node);
    LOG.info("node={} got the key of the authority", node.name());
    return authority();
  }

  private void requireElector(CertifiedName node) throws Refused {
    member(node);
    if (!node.elector() || !state.votes(node.name())) {
      throw new Refused(Refused.Reason.FORBIDDEN, "only electors get the key of the authority", "");
    }
  }

  private CertifiedKey authority() throws Refused {
    try {
      return pki.authority()
          .orElseThrow(
              () ->
                  new Refused(
                      Refused.Reason.NO_LEADER,
                      "this node does not have the key of the authority; ask an elector",
                      "vw cluster status"));
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private static Refused failed(Exception e) {
    LOG.error("a certificate cannot be issued", e);
    return new Refused(
        Refused.Reason.FAILED, "internal error; see the log of the contacted node", "");
  }

  private IssuedCertificate issue(
      PublicKey key, String name, boolean elector, List<String> addresses) throws Refused {
    try {
      var authority = authority();
      var certificate =
          new CertificateAuthority(cluster, authority, chance)
              .node(
                  key,
                  name,
                  elector,
                  store.get(Node.KIND, name).map(node -> node.meta().uid()),
                  JoinDecision.hosts(addresses),
                  issuedAt(name));
      return new IssuedCertificate(
          cluster,
          Pem.of(List.of(certificate, authority.certificate())),
          pki.trust().pem(),
          state.members().stream().filter(it -> !it.node().equals(name)).toList());
    } catch (IllegalArgumentException e) {
      throw new Refused(Refused.Reason.INVALID, String.valueOf(e.getMessage()), "");
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /**
   * The later of now and one second after the removal of a former node of this name, which ends
   * certificates without a uid.
   */
  private Instant issuedAt(String name) {
    var now = clock.instant();
    return state.removed(name).map(at -> at.plusSeconds(1)).filter(now::isBefore).orElse(now);
  }

  /** Removes tokens that expired long ago. One that stays is removed by a later join. */
  private void removeExpired(long epoch) {
    var before = clock.instant().minus(KEPT);
    for (var each : store.list(JoinToken.KIND)) {
      if (each.spec().expires().isBefore(before)) {
        by(Writer.JOIN, epoch)
            .remove(each)
            .onFailure(e -> LOG.debug("token={} stays: {}", each.name(), e.getMessage()));
      }
    }
  }
}
