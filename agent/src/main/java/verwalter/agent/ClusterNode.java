package verwalter.agent;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.TrustOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import verwalter.certificates.CertifiedName;
import verwalter.certificates.ClusterTls;
import verwalter.certificates.Peers;
import verwalter.certificates.Pki;
import verwalter.certificates.PkiFiles;
import verwalter.cluster.ClusterView.Member;
import verwalter.cluster.Leadership;
import verwalter.cluster.Term;
import verwalter.cluster.joining.CertificateRenewals;
import verwalter.cluster.joining.ClusterMember;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.cluster.joining.ClusterServer;
import verwalter.cluster.joining.Enrollment;
import verwalter.cluster.joining.JoinDesk;
import verwalter.cluster.joining.StoredState;
import verwalter.cluster.mirror.MirrorPeer;
import verwalter.cluster.mirror.MirrorSockets;
import verwalter.cluster.mirror.RoutedStore;
import verwalter.cluster.zookeeper.Elector;
import verwalter.cluster.zookeeper.ElectorServer;
import verwalter.cluster.zookeeper.EnsembleMembers;
import verwalter.cluster.zookeeper.ServerTimes;
import verwalter.cluster.zookeeper.TlsIdentity;
import verwalter.cluster.zookeeper.ZooKeeperLeadership;
import verwalter.concurrent.Loop;
import verwalter.model.Node;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.cluster.ClusterOptions;
import verwalter.stores.cluster.ClusterStore;
import verwalter.stores.local.LocalStore;
import verwalter.stores.local.Options;
import verwalter.stores.zookeeper.TlsFiles;
import verwalter.stores.zookeeper.ZooKeeperClients;
import verwalter.stores.zookeeper.ZooKeeperLog;
import verwalter.ui.UiServer;
import verwalter.ui.port.Forwarding;

/** Opens the parts of a node that belongs to a cluster. */
final class ClusterNode {
  /** The directory below the storage directory. */
  static final String DIRECTORY = "cluster";

  /** The directory of keys and certificates below {@link #DIRECTORY}. */
  static final String PKI = "pki";

  /** The directory of the copy of the log below {@link #DIRECTORY}. */
  private static final String LOG = "log";

  /** The session of clients, which is the lease of the leader. */
  private static final Duration SESSION = Duration.ofSeconds(3);

  /** The limit of one request to the ensemble, in bytes: that of its servers. */
  private static final int LARGEST_REQUEST = 2 << 20;

  private static final Duration CONNECT = Duration.ofSeconds(3);

  /** The path of everything that belongs to the cluster in the ensemble. */
  private static final String ROOT = "/verwalter";

  /** What the parts of a node need from the process. */
  record Environment(
      Vertx vertx,
      Function<String, Loop> loops,
      Executor executor,
      ThreadFactory threads,
      InstantSource clock,
      SecureRandom chance,
      OpenParts parts) {}

  private final Environment environment;
  private final Path directory;
  private final ClusterMember member;
  private final ClusterTls tls;
  private final Pki pki;
  private final TlsFiles files;
  private volatile @Nullable ClusterStore opened;

  private ClusterNode(Environment environment, Path directory, ClusterMember member)
      throws IOException {
    this.environment = environment;
    this.directory = directory;
    this.member = member;
    var place = directory.resolve(PKI);
    this.pki = new Pki(PkiFiles.in(place));
    this.tls = new ClusterTls(pki, member.cluster(), environment.clock());
    this.files = new TlsFiles(place.resolve(Pki.NODE), place.resolve(Pki.TRUST));
  }

  /** The member of a cluster whose files are below a storage directory; empty if it is in none. */
  static Optional<ClusterMember> member(Path storage) throws IOException {
    return in(storage.resolve(DIRECTORY));
  }

  /** The member of a cluster whose files are in a directory; empty if it is in none. */
  static Optional<ClusterMember> in(Path directory) throws IOException {
    return Files.isDirectory(directory)
        ? ClusterMember.read(PkiFiles.in(directory))
        : Optional.empty();
  }

  /**
   * Opens the parts of a member. Blocks while the objects of the cluster are moved out of the
   * node's store, at the first start of the first node.
   */
  static NodeCluster open(
      Environment environment, Path storage, ClusterMember member, LocalStore node, Member self)
      throws Exception {
    return new ClusterNode(environment, storage.resolve(DIRECTORY), member).open(node, self);
  }

  private NodeCluster open(LocalStore node, Member self) throws Exception {
    var ensemble = directory.resolve("zookeeper");
    var address = Address.of(member.addresses().get(0));
    if (!ElectorServer.exists(ensemble)) {
      requireFounder();
      ElectorServer.create(ensemble, new Elector(1, address.host(), address.port() + 1));
    }
    var server =
        ElectorServer.start(
            ensemble,
            new TlsIdentity(tls.keys(), tls.trust(Peers.ELECTORS)),
            ServerTimes.NORMAL,
            environment.threads());
    environment.parts().add("elector", server);
    var clients = clients(ElectorServer.self(ensemble));
    var http = http();
    var exchange = new CopyExchange(http, environment.loops().apply("copies"), this::others);
    var store = openStore(clients, exchange);
    environment.parts().add("cluster store", store);
    opened = store;
    exchange.use(store);
    if (member.members().isEmpty()) {
      Waiting.forResult(ClusterImport.run(node, store));
    }
    var leadership =
        new ZooKeeperLeadership(
            clients,
            ROOT,
            member.machine(),
            store.epoch(),
            environment.loops().apply("leadership"),
            UUID::randomUUID);
    environment.parts().add("leadership", leadership);
    var routed = new RoutedStore(store, node);
    var everything = new RoutedStore(store, node);
    var mirrors =
        new NodeMirrors(
            environment.vertx(),
            environment.loops().apply("mirrors"),
            tls,
            new MirrorPeer(self.name(), self.id()),
            node,
            everything,
            environment.clock().millis(),
            environment.chance()::nextDouble);
    environment.parts().add("mirrors", mirrors::close);
    var state = state(store, leadership);
    renew(state);
    exchange.trim(member.node(), () -> leads(leadership));
    follow(leadership, store, mirrors);
    var slots =
        new ElectorSlots(store, new EnsembleMembers(clients), environment.loops().apply("cluster"));
    var place = ElectorServer.self(ensemble);
    var founding =
        store.watch(
            Node.KIND,
            environment.loops().apply("elector"),
            change -> slots.found(member.node(), place));
    environment.parts().add("watch of the elector", founding);
    if (ElectorServer.isJoining(ensemble)) {
      new ClusterEntry(environment.vertx(), tls, member)
          .reportReady(environment.loops().apply("entry"));
    }
    return new NodeCluster(
        routed,
        everything,
        new CombinedHealth(List.of(store, node)),
        leadership,
        mirrors.leases(),
        mirrors,
        id -> member(store, id),
        store::epoch,
        Optional.of(forwarding(http)),
        ui -> serve(address, store, state, mirrors, slots, exchange, ui));
  }

  /** The cluster addresses of the other electors by name, as far as this node knows them. */
  private Map<String, String> others() {
    var others = new TreeMap<String, String>();
    member.members().forEach(each -> others.put(each.node(), each.addresses().get(0)));
    var store = opened;
    if (store != null) {
      ElectorSlots.members(store).stream()
          .filter(each -> each.elector() && !each.addresses().isEmpty())
          .forEach(each -> others.put(each.node(), each.addresses().get(0)));
    }
    others.remove(member.node());
    return others;
  }

  /** Renews the certificate of this node in time, at the leader or by itself. */
  private void renew(StoredState state) throws IOException {
    var enrollment =
        new Enrollment(
            environment.vertx(),
            PkiFiles.in(directory),
            pki,
            environment.clock(),
            environment.chance());
    double jitter = environment.chance().nextDouble();
    var own = Address.of(member.addresses().get(0));
    var renewals =
        CertificateRenewals.start(
            environment.loops().apply("renewals"),
            () -> tls.renewal(jitter),
            () -> enrollment.renew(tls, member, state.leader().map(Address::of).orElse(own)));
    environment.parts().add("renewals", renewals);
  }

  private HttpClient http() {
    return environment
        .vertx()
        .createHttpClient(
            new HttpClientOptions()
                .setSsl(true)
                .setKeyCertOptions(KeyCertOptions.wrap(tls.keys()))
                .setTrustOptions(TrustOptions.wrap(tls.trust(Peers.NODES)))
                .setVerifyHost(false) // the trust manager checks the names in the certificate
                .setEnabledSecureTransportProtocols(Set.of(ClusterTls.PROTOCOL))
                .setConnectTimeout((int) CONNECT.toMillis()));
  }

  private Forwarding forwarding(HttpClient client) {
    return new Forwarding(
        client,
        Member::address,
        () -> true,
        () -> new Forwarding.View("majority", Optional.empty()),
        this::isFromNode,
        request -> "");
  }

  /** Only the first start of the first node creates a log; another one would forget everything. */
  private void requireFounder() throws SetupFailed {
    if (!member.isElector() || !member.members().isEmpty()) {
      throw new SetupFailed(
          ExitCode.SETUP,
          "this machine has not finished joining the cluster %s; join again: verwalter join HOST"
              .formatted(member.cluster()));
    }
    if (Files.exists(directory.resolve(LOG))) {
      throw new SetupFailed(
          ExitCode.SETUP,
          "%s is gone, but this node had a part of the log of the cluster %s; restore it"
              .formatted(directory.resolve("zookeeper"), member.cluster()));
    }
  }

  private ZooKeeperClients clients(Elector self) {
    return new ZooKeeperClients(
        self.clientAddress(), SESSION, LARGEST_REQUEST, environment.threads(), Optional.of(files));
  }

  private ClusterStore openStore(ZooKeeperClients clients, CopyExchange exchange)
      throws IOException {
    var loop = environment.loops().apply("log");
    return ClusterStore.open(
        directory.resolve(LOG),
        () -> new ZooKeeperLog(clients, ROOT, loop, UUID::randomUUID),
        exchange,
        ClusterOptions.DEFAULT.with(Options.within(Runtime.getRuntime().maxMemory() / 2)),
        loop,
        environment.executor(),
        environment.chance()::nextDouble,
        environment.clock(),
        () -> UUID.randomUUID().toString());
  }

  /** Sends the objects of this node to each leader. */
  private void follow(Leadership leadership, ObjectStore store, NodeMirrors mirrors) {
    var loop = environment.loops().apply("mirror-leader");
    Runnable update =
        () ->
            mirrors.follow(
                leadership
                    .term()
                    .map(Term::leader)
                    .filter(leader -> !leader.equals(member.machine()))
                    .flatMap(leader -> member(store, leader))
                    .flatMap(Member::address));
    var terms = leadership.watch(loop, term -> update.run());
    var nodes = store.watch(Node.KIND, loop, change -> update.run());
    environment
        .parts()
        .add(
            "watch of the leader",
            () -> {
              terms.close();
              nodes.close();
            });
  }

  /** The member with a machine id, and its cluster address. */
  private static Optional<Member> member(ObjectStore store, String machine) {
    return store.list(Node.KIND).stream()
        .filter(node -> Node.machineId(node).filter(machine::equals).isPresent())
        .findFirst()
        .map(
            node ->
                new Member(
                    machine,
                    node.name(),
                    node.status().map(it -> it.facts().get("hostname")).orElse(node.name()),
                    node.status()
                        .map(it -> it.facts().get(StoredState.ADDRESSES))
                        .map(text -> text.split(",", -1)[0])));
  }

  private boolean isFromNode(HttpServerRequest request) {
    try {
      var session = request.sslSession();
      return session != null
          && session.getPeerCertificates()[0] instanceof X509Certificate certificate
          && tls.client(certificate).type() == CertifiedName.Type.NODE;
    } catch (SSLPeerUnverifiedException | CertificateException unknown) {
      return false;
    }
  }

  private StoredState state(ClusterStore store, Leadership leadership) {
    return new StoredState(
        store,
        () -> ElectorSlots.names(store),
        () -> leads(leadership) ? OptionalLong.of(store.epoch()) : OptionalLong.empty(),
        () ->
            leadership
                .term()
                .flatMap(term -> member(store, term.leader()))
                .flatMap(Member::address));
  }

  private void serve(
      Address address,
      ClusterStore store,
      StoredState state,
      NodeMirrors mirrors,
      ElectorSlots slots,
      CopyExchange exchange,
      UiServer ui)
      throws Exception {
    var loop = environment.loops().apply("joining");
    var desk =
        new JoinDesk(
            member.cluster(), store, state, pki, environment.clock(), environment.chance());
    var server =
        new ClusterServer(environment.vertx(), loop, environment.clock(), tls, pki, desk)
            .route(MirrorSockets.PATH, mirrors::accept)
            .route(ElectorSlots.PATH, slots::handle)
            .route(CopyExchange.PATH, exchange::handle)
            .route("/", (peer, request) -> ui.handle(request));
    environment.parts().add("cluster server", () -> Waiting.forResult(server.close()));
    Waiting.forResult(server.start(address.host(), address.port()));
  }

  private boolean leads(Leadership leadership) {
    return leadership.term().filter(term -> term.leader().equals(member.machine())).isPresent();
  }
}
