package verwalter.cluster.joining;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import verwalter.certificates.CertificateAuthority;
import verwalter.certificates.CertificateRequest;
import verwalter.certificates.CertifiedKey;
import verwalter.certificates.CertifiedName;
import verwalter.certificates.ClusterTls;
import verwalter.certificates.Pem;
import verwalter.certificates.PinnedAuthority;
import verwalter.certificates.Pki;
import verwalter.certificates.PkiFiles;
import verwalter.certificates.TrustBundle;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.cluster.joining.ClusterMember.Role;
import verwalter.model.JoinTokenText;

/**
 * The client's side: makes this machine a node of a cluster, and renews its certificate. Each step
 * can be interrupted and repeated. Files are written by the thread that completes the request.
 */
public final class Enrollment {
  /** How often a member may name another one as the leader while a machine joins. */
  private static final int MOST_HOPS = 2;

  private final Vertx vertx;
  private final PkiFiles files;
  private final Pki pki;
  private final InstantSource clock;
  private final SecureRandom chance;

  /**
   * @param files the directory {@code STORAGE/cluster}
   * @param pki the files in {@code STORAGE/cluster/pki}
   */
  public Enrollment(
      Vertx vertx, PkiFiles files, Pki pki, InstantSource clock, SecureRandom chance) {
    this.vertx = vertx;
    this.files = files;
    this.pki = pki;
    this.clock = clock;
    this.chance = chance;
  }

  /**
   * The machine that joins.
   *
   * @param node the name that it wants
   * @param machine its machine id, lower-case hex
   * @param addresses addresses at which other members reach it, {@code host:port}
   */
  public record Machine(String node, String machine, List<String> addresses) {
    public Machine {
      addresses = List.copyOf(addresses);
    }
  }

  /**
   * Joins the cluster of a token through one of its members, which may name the leader. Trusts the
   * authority that the token names, and no other. Fails with {@link Refused} if the cluster
   * refuses, or with an {@link IOException}.
   */
  public Future<ClusterMember> join(Address member, JoinTokenText token, Machine machine) {
    KeyPair keys;
    try {
      keys = pki.requestKeys(chance);
    } catch (IOException e) {
      return Future.failedFuture(e);
    }
    var request =
        new JoinRequest(
            token.id(),
            token.secret(),
            CertificateRequest.of(keys, machine.node(), chance),
            machine.node(),
            machine.machine(),
            machine.addresses(),
            clock.millis());
    var client = ClusterClient.joining(vertx, new PinnedAuthority(token.authority(), clock));
    return ask(client, member, request, MOST_HOPS)
        .compose(issued -> joined(issued, token, machine, keys))
        .onComplete(done -> client.close());
  }

  /** Asks a member, and the leader that it names if it does not lead. */
  private static Future<IssuedCertificate> ask(
      ClusterClient client, Address member, JoinRequest request, int hops) {
    return client
        .send(member, ClusterServer.JOIN, request, IssuedCertificate.class)
        .recover(
            failure ->
                hops > 0 && failure instanceof Refused refused && refused.leader().isPresent()
                    ? ask(client, Address.of(refused.leader().get()), request, hops - 1)
                        .recover(
                            other ->
                                Future.failedFuture(other instanceof Refused ? other : refused))
                    : Future.failedFuture(failure));
  }

  private Future<ClusterMember> joined(
      IssuedCertificate issued, JoinTokenText token, Machine machine, KeyPair keys) {
    try {
      var trust = TrustBundle.of(issued.trust());
      if (!trust.fingerprints().contains(token.authority())) {
        throw new GeneralSecurityException("the cluster does not trust the token's authority");
      }
      var key = checked(issued, trust, machine.node(), keys);
      var member =
          new ClusterMember(
              issued.cluster(),
              machine.node(),
              machine.machine(),
              Role.OBSERVER,
              machine.addresses(),
              issued.members());
      pki.installTrust(trust);
      pki.installNode(key);
      member.write(files);
      pki.endRequest();
      return Future.succeededFuture(member);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      return Future.failedFuture(
          new IOException(
              "the cluster issued a certificate that cannot be used: " + e.getMessage(), e));
    } catch (IOException e) {
      return Future.failedFuture(e);
    }
  }

  private CertifiedKey checked(
      IssuedCertificate issued, TrustBundle trust, String node, KeyPair keys)
      throws GeneralSecurityException {
    var key = new CertifiedKey(keys.getPrivate(), Pem.certificates(issued.certificates()));
    trust.verify(key.certificate(), clock.instant());
    var name = CertifiedName.of(key.certificate());
    if (name.filter(it -> it.cluster().equals(issued.cluster()) && it.name().equals(node))
        .isEmpty()) {
      throw new GeneralSecurityException("it is for another node");
    }
    return key;
  }

  /**
   * Renews the certificate of this node through another member, and takes over the authorities that
   * members trust. New connections use the new certificate; open ones stay. Fails as {@link #join}.
   *
   * @param tls of this node
   * @param member the member at which the certificate is requested, which may be this node
   */
  public Future<Void> renew(ClusterTls tls, ClusterMember self, Address member) {
    KeyPair keys;
    try {
      keys = pki.requestKeys(chance);
    } catch (IOException e) {
      return Future.failedFuture(e);
    }
    var client = ClusterClient.member(vertx, tls);
    var request =
        new RenewalRequest(CertificateRequest.of(keys, self.node(), chance), self.addresses());
    return client
        .send(
            member,
            HttpMethod.POST,
            ClusterServer.CERTIFICATE,
            Optional.of(request),
            IssuedCertificate.class)
        .compose(issued -> renewed(issued, self, keys))
        .onComplete(done -> client.close());
  }

  /**
   * Takes another name, which a token of an admin gives to this node. The certificate is written
   * before the membership. Fails as {@link #join}.
   *
   * @param tls of this node
   * @param leader the cluster address of the leader, which may be this node
   */
  public Future<Void> rename(ClusterTls tls, ClusterMember self, String name, Address leader) {
    KeyPair keys;
    try {
      keys = pki.requestKeys(chance);
    } catch (IOException e) {
      return Future.failedFuture(e);
    }
    var client = ClusterClient.member(vertx, tls);
    var request = new RenameRequest(CertificateRequest.of(keys, name, chance), name);
    return client
        .send(
            leader,
            HttpMethod.POST,
            ClusterServer.RENAME,
            Optional.of(request),
            IssuedCertificate.class)
        .compose(issued -> renewed(issued, self.named(name), keys))
        .compose(
            done -> {
              try {
                self.named(name).write(files);
                return Future.<Void>succeededFuture();
              } catch (IOException e) {
                return Future.<Void>failedFuture(e);
              }
            })
        .onComplete(done -> client.close());
  }

  private Future<Void> renewed(IssuedCertificate issued, ClusterMember self, KeyPair keys) {
    try {
      var trust = TrustBundle.of(issued.trust());
      var key = checked(issued, trust, self.node(), keys);
      pki.installTrust(trust);
      pki.installNode(key);
      pki.endRequest();
      return Future.succeededFuture();
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      return Future.failedFuture(
          new IOException("the renewed certificate cannot be used: " + e.getMessage(), e));
    } catch (IOException e) {
      return Future.failedFuture(e);
    }
  }

  /** Gets the key of the authority from an elector, for a node that has become an elector. */
  public Future<Void> fetchAuthority(ClusterTls tls, Address elector) {
    var client = ClusterClient.member(vertx, tls);
    return client
        .send(elector, HttpMethod.GET, ClusterServer.AUTHORITY, Optional.empty(), PemMessage.class)
        .compose(
            message -> {
              try {
                var authority = CertifiedKey.of(message.pem());
                if (!pki.trust()
                    .fingerprints()
                    .contains(TrustBundle.fingerprint(authority.certificate()))) {
                  throw new GeneralSecurityException("this node does not trust it");
                }
                pki.installAuthority(authority);
                return Future.<Void>succeededFuture();
              } catch (GeneralSecurityException e) {
                return Future.<Void>failedFuture(
                    new IOException("the authority cannot be used: " + e.getMessage(), e));
              } catch (IOException e) {
                return Future.<Void>failedFuture(e);
              }
            })
        .onComplete(done -> client.close());
  }

  /** Gets the key of the next authority from an elector that has it, and keeps it. */
  Future<Void> fetchNextAuthority(ClusterTls tls, Address elector, X509Certificate next) {
    var client = ClusterClient.member(vertx, tls);
    return client
        .send(
            elector,
            HttpMethod.GET,
            ClusterServer.NEXT_AUTHORITY,
            Optional.empty(),
            PemMessage.class)
        .compose(
            message -> {
              try {
                var authority = CertifiedKey.of(message.pem());
                if (!authority.certificate().equals(next)) {
                  throw new GeneralSecurityException("it is another one");
                }
                pki.installNextAuthority(authority);
                return Future.<Void>succeededFuture();
              } catch (GeneralSecurityException e) {
                return Future.<Void>failedFuture(
                    new IOException("the next authority cannot be used: " + e.getMessage(), e));
              } catch (IOException e) {
                return Future.<Void>failedFuture(e);
              }
            })
        .onComplete(done -> client.close());
  }

  /** Tells the leader what this node has done of a change of the authority. */
  Future<Void> report(ClusterTls tls, ProgressReport report, Address leader) {
    var client = ClusterClient.member(vertx, tls);
    return client
        .send(
            leader, HttpMethod.POST, ClusterServer.PROGRESS, Optional.of(report), PemMessage.class)
        .<Void>mapEmpty()
        .onComplete(done -> client.close());
  }

  /** Succeeds if a member and this node trust each other, and fails as {@link #join} if not. */
  public Future<Void> ask(ClusterTls tls, Address member) {
    var client = ClusterClient.member(vertx, tls);
    return client
        .send(member, HttpMethod.GET, ClusterServer.TRUST, Optional.empty(), PemMessage.class)
        .<Void>mapEmpty()
        .onComplete(done -> client.close());
  }

  /**
   * Founds a cluster with this machine as its first node and only elector: a new authority and a
   * certificate for this node. It may be repeated after an interruption; then what exists is kept.
   *
   * @throws IOException if this machine is in a cluster already, or a file cannot be written
   */
  public ClusterMember found(Machine machine) throws IOException {
    var present = ClusterMember.read(files);
    if (present.isPresent()) {
      throw new IOException(
          "this machine is node %s of cluster %s already; see: vw cluster status"
              .formatted(present.get().node(), present.get().cluster()));
    }
    var now = clock.instant();
    var root = authority(now);
    var cluster =
        CertificateAuthority.cluster(root.certificate())
            .orElseThrow(() -> new IOException("the authority is not one of a cluster"));
    var keys = CertifiedKey.newKeys(chance);
    var certificate =
        new CertificateAuthority(cluster, root, chance)
            .node(
                keys.getPublic(),
                machine.node(),
                true,
                Optional.empty(),
                JoinDecision.hosts(machine.addresses()),
                now);
    pki.installTrust(new TrustBundle(List.of(root.certificate())));
    pki.installNode(new CertifiedKey(keys.getPrivate(), List.of(certificate, root.certificate())));
    var member =
        new ClusterMember(
            cluster,
            machine.node(),
            machine.machine(),
            Role.ELECTOR,
            machine.addresses(),
            List.of());
    member.write(files);
    return member;
  }

  /**
   * The key and certificate of a person, made by a node that has the key of the authority.
   *
   * @param groups groups of the person, such as {@code verwalter:admin}
   * @throws IOException if this node does not have the key of the authority
   */
  public CertifiedKey person(ClusterMember self, String name, List<String> groups)
      throws IOException {
    var root =
        pki.authority()
            .orElseThrow(() -> new IOException("this node does not have the key of the authority"));
    var keys = CertifiedKey.newKeys(chance);
    var certificate =
        new CertificateAuthority(self.cluster(), root, chance)
            .user(keys.getPublic(), name, groups, CertificateAuthority.USER_LIFE, clock.instant());
    return new CertifiedKey(keys.getPrivate(), List.of(certificate, root.certificate()));
  }

  /** The authority of an interrupted call, or a new one. */
  private CertifiedKey authority(Instant now) throws IOException {
    var present = pki.authority();
    if (present.isPresent()) {
      return present.get();
    }
    var created = CertificateAuthority.create(CertificateAuthority.newCluster(chance), now, chance);
    pki.installAuthority(created);
    return created;
  }
}
