package verwalter.cluster.joining;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static verwalter.cluster.joining.TestCluster.await;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.TrustOptions;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import verwalter.certificates.CertifiedKey;
import verwalter.certificates.ClusterTls;
import verwalter.certificates.Peers;
import verwalter.certificates.Pki;
import verwalter.certificates.PkiFiles;
import verwalter.certificates.ReplacedAuthority;
import verwalter.certificates.TrustBundle;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.concurrent.testkit.ContextLoop;
import verwalter.model.AuthorityChange;
import verwalter.model.AuthorityChange.Phase;
import verwalter.model.JoinToken;
import verwalter.model.JoinTokenText;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.api.Change;
import verwalter.stores.engine.HistoryLimit;
import verwalter.stores.engine.MemoryStore;

/** Nodes with real servers that replace the authority of their cluster. */
@Timeout(60)
class AuthorityChangeTest {
  private static final String ECHO = "/echo/";

  @TempDir private Path directory;
  private final Vertx vertx = Vertx.vertx();
  private final SecureRandom chance = new SecureRandom();
  private final MemoryStore store =
      new MemoryStore(
          InstantSource.system(),
          () -> UUID.randomUUID().toString(),
          new HistoryLimit(1000, 1 << 20));
  private final Set<String> electors = new HashSet<>(Set.of("n1", "n2"));
  private final Map<String, Site> sites = new TreeMap<>();
  private final Map<String, String> addresses = new ConcurrentHashMap<>();
  private volatile String leader = "n1";

  /** A node: its files, its server and its part of the change. */
  private final class Site {
    final PkiFiles files;
    final Pki pki;
    final Enrollment enrollment;
    final ClusterMember member;
    final ClusterTls tls;
    final ClusterServer server;
    final HttpClient client;
    private final ContextLoop loop = new ContextLoop(vertx);
    private final JoinDesk desk;
    private final StoredState state;
    private Optional<AuthorityMember> following = Optional.empty();

    Site(String name, String machine, Optional<Site> first) throws Exception {
      files = PkiFiles.in(directory.resolve(name));
      pki = new Pki(PkiFiles.in(directory.resolve(name).resolve("pki")));
      enrollment = new Enrollment(vertx, files, pki, InstantSource.system(), chance);
      member = first.isEmpty() ? found(name, machine) : join(first.get(), name, machine);
      tls = new ClusterTls(pki, member.cluster(), InstantSource.system());
      if (first.isPresent() && electors.contains(name)) {
        await(enrollment.renew(tls, member, first.get().address()));
        await(enrollment.fetchAuthority(tls, first.get().address()));
      }
      state =
          new StoredState(
              store,
              () -> electors,
              () -> electors,
              () -> leader.equals(name) ? OptionalLong.of(store.epoch()) : OptionalLong.empty(),
              () -> Optional.ofNullable(addresses.get(leader)));
      desk = new JoinDesk(member.cluster(), store, state, pki, InstantSource.system(), chance);
      server =
          new ClusterServer(vertx, loop, InstantSource.system(), tls, pki, desk)
              .route(ECHO, (peer, request) -> request.response().end(peer.title()));
      addresses.put(name, "127.0.0.1:" + await(server.start("127.0.0.1", 0)));
      client = client(tls);
      sites.put(name, this);
    }

    private ClusterMember found(String name, String machine) throws Exception {
      var founded = enrollment.found(new Enrollment.Machine(name, machine, List.of("127.0.0.1:1")));
      await(
          store.put(
              Resource.of(Node.KIND, name, new Node.Spec(false)).withStatus(status(machine))));
      return founded;
    }

    private ClusterMember join(Site first, String name, String machine) throws Exception {
      var token = token(first, Optional.of(name));
      return await(
          enrollment.join(
              first.address(),
              token,
              new Enrollment.Machine(name, machine, List.of("127.0.0.1:" + (sites.size() + 1)))));
    }

    Address address() {
      var name = member.node();
      return Address.of(String.valueOf(addresses.get(name)));
    }

    /** Begins to follow changes of the authority. */
    void follow() {
      following =
          Optional.of(
              AuthorityMember.start(
                  loop,
                  new AuthorityMember.Parts(
                      desk,
                      store,
                      state,
                      pki,
                      enrollment,
                      tls,
                      member,
                      server::closeUntrusted,
                      Duration.ofMillis(50))));
    }

    /** The authority of its certificate. */
    String issuer() throws Exception {
      var chain = pki.node().chain();
      return TrustBundle.fingerprint(chain.get(chain.size() - 1));
    }
  }

  private HttpClient client(ClusterTls tls) {
    return vertx.createHttpClient(
        new HttpClientOptions()
            .setSsl(true)
            .setKeyCertOptions(KeyCertOptions.wrap(tls.keys()))
            .setTrustOptions(TrustOptions.wrap(tls.trust(Peers.NODES)))
            .setVerifyHost(false)
            .setEnabledSecureTransportProtocols(Set.of(ClusterTls.PROTOCOL)));
  }

  private static Node.Status status(String machine) {
    return new Node.Status(
        0,
        List.of(),
        Map.of(Node.MACHINE_ID, machine, StoredState.ADDRESSES, "127.0.0.1:1"),
        new Node.Capacity(1, 1),
        Optional.empty(),
        new Node.Roles(0, 0, 0),
        List.of());
  }

  private JoinTokenText token(Site issuer, Optional<String> name) throws Exception {
    var text = JoinTokenText.create(issuer.issuer(), chance);
    await(
        store.put(
            Resource.of(
                JoinToken.KIND,
                text.id(),
                new JoinToken.Spec(
                    JoinToken.Purpose.NODE,
                    name,
                    text.hash(),
                    1,
                    Instant.now().plusSeconds(3600),
                    "tim"))));
    return text;
  }

  @BeforeEach
  void start() throws Exception {
    var first = new Site("n1", "a".repeat(32), Optional.empty());
    new Site("n2", "b".repeat(32), Optional.of(first));
    new Site("n3", "c".repeat(32), Optional.of(first));
    for (var site : sites.values()) {
      locate(site);
    }
  }

  /** Stores the address of a node, which is known once its server listens. */
  private void locate(Site site) throws Exception {
    var node = store.get(Node.KIND, site.member.node()).orElseThrow();
    var before = node.status().orElseThrow();
    var facts = new TreeMap<>(before.facts());
    facts.put(StoredState.ADDRESSES, site.address().toString());
    await(
        store.putStatus(
            node.withStatus(
                new Node.Status(
                    before.observedGeneration(),
                    before.addresses(),
                    facts,
                    before.capacity(),
                    before.schedule(),
                    before.roles(),
                    before.conditions()))));
  }

  @AfterEach
  void stop() throws Exception {
    for (var site : sites.values()) {
      site.following.ifPresent(AuthorityMember::close);
      await(site.server.close());
    }
    await(vertx.close());
  }

  private void begin(String... without) throws Exception {
    await(
        store.put(
            Resource.of(
                AuthorityChange.KIND,
                AuthorityChange.CURRENT,
                new AuthorityChange.Spec(false, List.of(without)))));
  }

  private AuthorityChange.Status current() {
    return store
        .get(AuthorityChange.KIND, AuthorityChange.CURRENT)
        .orElseThrow()
        .status()
        .orElseThrow();
  }

  /** Waits for a status of the change. */
  private AuthorityChange.Status until(Predicate<AuthorityChange.Status> wanted) throws Exception {
    var reached = Promise.<AuthorityChange.Status>promise();
    var watch =
        store.watch(
            AuthorityChange.KIND,
            new ContextLoop(vertx),
            change -> {
              if (change instanceof Change.Put<AuthorityChange.Spec, AuthorityChange.Status> put) {
                put.resource().status().filter(wanted).ifPresent(reached::tryComplete);
              }
            });
    try {
      return await(reached.future());
    } finally {
      watch.close();
    }
  }

  /** The status of a request, which is repeated if the server closes the idle connection. */
  private static Future<Integer> get(HttpClient client, Address address) {
    return once(client, address)
        .recover(
            failure ->
                failure instanceof HttpClosedException
                    ? once(client, address)
                    : Future.failedFuture(failure));
  }

  private static Future<Integer> once(HttpClient client, Address address) {
    return client
        .request(HttpMethod.GET, address.port(), address.host(), ECHO)
        .compose(request -> request.send().compose(it -> it.body().map(body -> it)))
        .map(HttpClientResponse::statusCode);
  }

  /** Sends requests between all nodes. Returns the answers that are not 200. */
  private List<String> failures() throws Exception {
    var failures = new ArrayList<String>();
    for (var from : sites.values()) {
      for (var to : sites.values()) {
        int status = await(get(from.client, to.address()));
        if (status != 200) {
          failures.add("%s to %s: %d".formatted(from.member.node(), to.member.node(), status));
        }
      }
    }
    return failures;
  }

  @Test
  void allNodesGetCertificatesOfTheNewAuthorityWithoutARestart() throws Exception {
    assertThat(failures()).isEmpty();
    var old = sites.get("n1").issuer();
    var stolen = sites.get("n3").pki.node();
    sites.values().forEach(Site::follow);
    begin();
    var failures = new ArrayList<String>();
    do {
      failures.addAll(failures());
    } while (store
        .get(AuthorityChange.KIND, AuthorityChange.CURRENT)
        .flatMap(Resource::status)
        .filter(it -> it.phase() == Phase.DONE)
        .isEmpty());

    assertThat(failures).isEmpty();
    var next = TrustBundle.of(current().next()).fingerprints().iterator().next();
    assertThat(next).isNotEqualTo(old);
    for (var site : sites.values()) {
      assertThat(site.issuer()).isEqualTo(next);
      assertThat(site.pki.trust().fingerprints()).containsExactly(next);
      assertThat(site.pki.nextAuthority()).isEmpty();
    }
    assertThat(sites.get("n2").pki.authority().map(it -> TrustBundle.fingerprint(it.certificate())))
        .contains(next);
    assertThat(sites.get("n3").pki.authority()).isEmpty();
    assertThat(failures()).isEmpty();
    assertThat(refusal(stolen)).isNotEmpty();
  }

  /** Why an earlier certificate is refused; empty if it is not. */
  private String refusal(CertifiedKey stolen) throws Exception {
    var pki = new Pki(PkiFiles.in(directory.resolve("thief")));
    pki.installNode(stolen);
    pki.installTrust(sites.get("n1").pki.trust());
    var first = sites.get("n1");
    var thief = client(new ClusterTls(pki, first.member.cluster(), InstantSource.system()));
    try {
      int status = await(get(thief, first.address()));
      return status == 200 ? "" : "" + status;
    } catch (Exception refused) {
      return String.valueOf(refused.getMessage());
    }
  }

  @Test
  void aNodeThatIsAwayIsWaitedFor() throws Exception {
    sites.get("n1").follow();
    sites.get("n2").follow();
    begin();
    var waiting = until(it -> it.waiting().size() == 1);
    assertThat(waiting.phase()).isEqualTo(Phase.DISTRIBUTE);
    assertThat(waiting.waiting())
        .containsExactly(new AuthorityChange.Waiting("n3", "has not reported"));

    sites.get("n3").follow();

    until(it -> it.phase() == Phase.DONE);
    assertThat(failures()).isEmpty();
  }

  @Test
  void anAbortedChangeLeavesTheOldAuthority() throws Exception {
    var old = sites.get("n1").issuer();
    sites.get("n1").follow();
    sites.get("n2").follow();
    begin();
    until(it -> it.waiting().size() == 1);
    var change = store.get(AuthorityChange.KIND, AuthorityChange.CURRENT).orElseThrow();

    await(store.put(change.withSpec(new AuthorityChange.Spec(true, List.of()))));
    until(it -> it.aborted() && it.waiting().size() == 1);
    sites.get("n3").follow();

    var done = until(it -> it.phase() == Phase.DONE);
    assertThat(done.aborted()).isTrue();
    for (var site : sites.values()) {
      assertThat(site.issuer()).isEqualTo(old);
      assertThat(site.pki.trust().fingerprints()).containsExactly(old);
      assertThat(site.pki.nextAuthority()).isEmpty();
    }
  }

  @Test
  void aDeletedChangeIsAborted() throws Exception {
    sites.get("n1").follow();
    begin();
    until(it -> it.waiting().size() == 2);
    await(store.remove(store.get(AuthorityChange.KIND, AuthorityChange.CURRENT).orElseThrow()));
    assertThat(until(AuthorityChange.Status::aborted).phase()).isEqualTo(Phase.RETIRE);
  }

  @Test
  void anotherLeaderGoesOn() throws Exception {
    sites.get("n1").follow();
    sites.get("n2").follow();
    begin();
    until(it -> it.waiting().size() == 1);
    leader = "n2";

    sites.get("n3").follow();

    until(it -> it.phase() == Phase.DONE);
    assertThat(failures()).isEmpty();
  }

  @Test
  void logOfANodeThatWasLeftOutSaysHowToJoinAgain() throws Exception {
    sites.get("n1").follow();
    sites.get("n2").follow();
    begin("n3");
    until(it -> it.phase() == Phase.DONE);
    var away = sites.get("n3");
    var first = sites.get("n1");

    assertThatThrownBy(() -> await(away.enrollment.ask(away.tls, first.address())))
        .hasRootCauseInstanceOf(ReplacedAuthority.class)
        .hasStackTraceContaining("verwalter join HOST --token T");
    var token = token(first, Optional.of("n3"));
    await(
        away.enrollment.join(
            first.address(),
            token,
            new Enrollment.Machine("n3", "c".repeat(32), List.of(away.address().toString()))));
    assertThat(await(get(client(away.tls), first.address()))).isEqualTo(200);
  }

  @Test
  void keysAndReportsAreForMembersOnly() throws Exception {
    var first = sites.get("n1");
    var report = ProgressReport.of(sites.get("n3").pki);
    try (var observer = ClusterClient.member(vertx, sites.get("n3").tls)) {
      assertThatThrownBy(
              () ->
                  await(
                      observer.send(
                          first.address(),
                          HttpMethod.GET,
                          ClusterServer.NEXT_AUTHORITY,
                          Optional.empty(),
                          PemMessage.class)))
          .hasMessage("only electors get the key of the authority");
      for (var malformed :
          List.of(
              new ProgressReport("", "", "", ""),
              new ProgressReport(report.trusted(), "x", "", ""),
              new ProgressReport(report.trusted(), report.issuer(), "x", ""))) {
        assertThatThrownBy(
                () ->
                    await(
                        observer.send(
                            first.address(),
                            HttpMethod.POST,
                            ClusterServer.PROGRESS,
                            Optional.of(malformed),
                            PemMessage.class)))
            .isInstanceOfSatisfying(
                Refused.class, it -> assertThat(it.reason()).isEqualTo(Refused.Reason.INVALID));
      }
      await(store.remove(store.get(Node.KIND, "n3").orElseThrow()));
      assertThatThrownBy(() -> await(away(observer, first, report)))
          .hasMessage("node n3 is not a node of this cluster now");
    }
  }

  private static Future<PemMessage> away(ClusterClient client, Site first, ProgressReport report) {
    return client.send(
        first.address(),
        HttpMethod.POST,
        ClusterServer.PROGRESS,
        Optional.of(report),
        PemMessage.class);
  }
}
