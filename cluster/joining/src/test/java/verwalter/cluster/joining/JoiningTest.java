package verwalter.cluster.joining;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static verwalter.cluster.joining.TestCluster.await;

import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.certificates.CertificateAuthority;
import verwalter.certificates.CertificateRequest;
import verwalter.certificates.CertifiedKey;
import verwalter.certificates.CertifiedName;
import verwalter.certificates.Pem;
import verwalter.certificates.PinnedAuthority;
import verwalter.certificates.Pki;
import verwalter.certificates.PkiFiles;
import verwalter.cluster.joining.ClusterMember.Role;
import verwalter.model.JoinToken;
import verwalter.model.JoinTokenText;
import verwalter.model.Node;

/** Machines that join over HTTPS on loopback addresses. */
class JoiningTest {
  private static final String MACHINE = "b".repeat(32);
  private static final String OTHER = "c".repeat(32);

  @TempDir Path directory;
  private TestCluster cluster;

  @BeforeEach
  void start() throws Exception {
    cluster = new TestCluster(directory);
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
  }

  private static AbstractThrowableAssert<?, ?> refusal(
      Refused.Reason reason, ThrowingCallable call) {
    return assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            Refused.class,
            refused -> assertThat(refused.reason()).as(refused.getMessage()).isEqualTo(reason));
  }

  private String echo(String node) throws Exception {
    try (var client = ClusterClient.member(cluster.vertx, cluster.tls(node))) {
      return await(
          client.send(cluster.address(), HttpMethod.GET, "/echo/", Optional.empty(), String.class));
    }
  }

  @Test
  void aMachineWithATokenBecomesANode() throws Exception {
    var token = cluster.token(1);

    var member = await(cluster.join("n2", MACHINE, token));

    assertThat(member.cluster()).isEqualTo(cluster.first.cluster());
    assertThat(member.role()).isEqualTo(Role.OBSERVER);
    assertThat(member.members())
        .containsExactly(new ClusterMember.Peer("n1", List.of("127.0.0.1:8380"), Role.ELECTOR));
    assertThat(ClusterMember.read(cluster.place("n2").files())).contains(member);
    var certified = CertifiedName.of(cluster.place("n2").pki().node().certificate()).orElseThrow();
    assertThat(certified.title()).isEqualTo("node n2");
    assertThat(certified.elector()).isFalse();
    assertThat(certified.object())
        .isEqualTo(cluster.store.get(Node.KIND, "n2").map(node -> node.meta().uid()));
    assertThat(cluster.place("n2").pki().authority()).isEmpty();
    assertThat(cluster.store.get(Node.KIND, "n2").flatMap(Node::machineId)).contains(MACHINE);
    assertThat(cluster.used(token).used()).isEqualTo(1);
    assertThat(echo("n2")).isEqualTo("node n2");
  }

  @Test
  void aUsedTokenIsRefused() throws Exception {
    var token = cluster.token(1);
    await(cluster.join("n2", MACHINE, token));

    refusal(Refused.Reason.USED_UP, () -> await(cluster.join("n3", OTHER, token)))
        .hasMessage("the token was used 1 of 1 times");
    assertThat(cluster.store.get(Node.KIND, "n3")).isEmpty();
    assertThat(ClusterMember.read(cluster.place("n3").files())).isEmpty();
  }

  @Test
  void aTokenUsedByManyAtOnceAdmitsAsManyAsItAllows() throws Exception {
    var token = cluster.token(3);
    var joins = new ArrayList<Future<ClusterMember>>();
    for (int i = 2; i < 10; i++) {
      joins.add(cluster.join("n" + i, Integer.toString(i).repeat(32), token));
    }

    await(Future.join(joins).recover(some -> Future.succeededFuture()));

    assertThat(joins).filteredOn(Future::succeeded).hasSize(3);
    assertThat(joins)
        .filteredOn(Future::failed)
        .allSatisfy(
            it -> assertThat(((Refused) it.cause()).reason()).isEqualTo(Refused.Reason.USED_UP));
    assertThat(cluster.used(token).used()).isEqualTo(3);
  }

  @Test
  void aRevokedTokenIsRefused() throws Exception {
    var token = cluster.token(1);
    await(cluster.store.remove(cluster.store.get(JoinToken.KIND, token.id()).orElseThrow()));

    refusal(Refused.Reason.WRONG_TOKEN, () -> await(cluster.join("n2", MACHINE, token)));
  }

  @Test
  void anExpiredTokenIsRefusedAndRemovedLater() throws Exception {
    var token = cluster.token(1);
    cluster.now = cluster.now.plusSeconds(3600);
    refusal(Refused.Reason.EXPIRED_TOKEN, () -> await(cluster.join("n2", MACHINE, token)));

    cluster.now = cluster.now.plus(Duration.ofDays(8));
    await(cluster.join("n2", MACHINE, cluster.token(1)));
    assertThat(cluster.store.get(JoinToken.KIND, token.id())).isEmpty();
  }

  @Test
  void aJoinThatCrashedAtAnyWriteIsRepeatedWithoutAnotherUse() throws Exception {
    int crashes = 0;
    for (boolean crashed = true; crashed; crashes++) {
      cluster.now = cluster.now.plusSeconds(60); // many joins
      var node = "n" + (crashes + 2);
      var token = cluster.token(1);
      var place = cluster.place(node);
      var left = new AtomicInteger(crashes);
      var dying =
          new Enrollment(
              cluster.vertx,
              new CrashingFiles(place.files(), left),
              new Pki(new CrashingFiles(pkiFiles(node), left)),
              () -> cluster.now,
              cluster.chance);
      var machine =
          new Enrollment.Machine(node, MACHINE, List.of("127.0.0.1:9" + node.substring(1)));
      try {
        await(dying.join(cluster.address(), token, machine));
        crashed = false;
      } catch (IOException crash) {
        assertThat(crash).hasMessage("crashed");
      }

      if (ClusterMember.read(place.files()).isEmpty()) {
        await(cluster.join(node, MACHINE, token));
      }

      assertThat(cluster.used(token).used()).isEqualTo(1);
      cluster.places.remove(node); // a new process
      assertThat(ClusterMember.read(cluster.place(node).files()).orElseThrow().node())
          .isEqualTo(node);
      assertThat(echo(node)).isEqualTo("node " + node);
    }
    assertThat(crashes).isEqualTo(11); // two for each of five writes, and none
  }

  private PkiFiles pkiFiles(String node) throws IOException {
    return PkiFiles.in(directory.resolve(node).resolve("pki"));
  }

  @Test
  void foundingThatCrashedAtAnyWriteIsRepeated() throws Exception {
    var machine = new Enrollment.Machine("n1", MACHINE, List.of("127.0.0.1:8380"));
    int crashes = 0;
    for (boolean crashed = true; crashed; crashes++) {
      var left = new AtomicInteger(crashes);
      var name = "founder" + crashes;
      var files = PkiFiles.in(directory.resolve(name));
      try {
        new Enrollment(
                cluster.vertx,
                new CrashingFiles(files, left),
                new Pki(new CrashingFiles(pkiFiles(name), left)),
                () -> cluster.now,
                cluster.chance)
            .found(machine);
        crashed = false;
      } catch (IOException crash) {
        assertThat(crash).hasMessage("crashed");
      }
      var authority = new Pki(pkiFiles(name)).authority();
      var pki = new Pki(pkiFiles(name));
      var again = new Enrollment(cluster.vertx, files, pki, () -> cluster.now, cluster.chance);

      if (ClusterMember.read(files).isEmpty()) {
        again.found(machine);
      }

      var member = ClusterMember.read(files).orElseThrow();
      assertThat(member.isElector()).isTrue();
      assertThat(pki.trust().verify(pki.node().certificate(), cluster.now))
          .isEqualTo(pki.authority().orElseThrow().certificate());
      assertThat(CertifiedName.of(pki.node().certificate()))
          .contains(CertifiedName.node(member.cluster(), "n1", true));
      authority.ifPresent(it -> assertThat(pki).extracting(TestCluster::authority).isEqualTo(it));
      assertThatThrownBy(() -> again.found(machine))
          .hasMessageContaining("is node n1 of cluster " + member.cluster());
    }
    assertThat(crashes).isEqualTo(9); // two for each of four writes, and none
  }

  @Test
  void aMachineWithAnotherAuthorityInItsTokenDoesNotSendIt() throws Exception {
    var token = cluster.token(1);
    var other = new JoinTokenText(token.id(), token.secret(), "0".repeat(64));

    assertThatThrownBy(() -> await(cluster.join("n2", MACHINE, other)))
        .hasStackTraceContaining("the server belongs to another cluster than the token");
    assertThat(cluster.used(token).used()).isZero();
  }

  @Test
  void aMachineWhoseClockIsFarOffIsTold() throws Exception {
    var token = cluster.token(1);
    var place = cluster.place("n2");
    var late =
        new Enrollment(
            cluster.vertx,
            place.files(),
            place.pki(),
            () -> cluster.now.plus(Duration.ofHours(13)),
            cluster.chance);

    refusal(
            Refused.Reason.CLOCK_DIFFERS,
            () ->
                await(
                    late.join(
                        cluster.address(),
                        token,
                        new Enrollment.Machine("n2", MACHINE, List.of("127.0.0.1:9")))))
        .hasMessageContaining("the clock of this machine says 2026-11-23T01:00:00Z");
  }

  @Test
  void theNameOfAnotherMachineIsRefused() throws Exception {
    await(cluster.join("n2", MACHINE, cluster.token(1)));
    cluster.places.remove("n2");

    refusal(Refused.Reason.NAME_TAKEN, () -> await(cluster.join("n2", OTHER, cluster.token(1))));
    refusal(Refused.Reason.NAME_TAKEN, () -> await(cluster.join("n2", MACHINE, cluster.token(1))));
    assertThat(await(cluster.join("n2", MACHINE, cluster.token(1, Optional.of("n2")))).node())
        .isEqualTo("n2");
  }

  @Test
  void twoMachinesThatWantOneNameAtOnceDoNotBothGetIt() throws Exception {
    var token = cluster.token(2);
    var other = PkiFiles.in(directory.resolve("other"));
    var second =
        new Enrollment(cluster.vertx, other, new Pki(other), () -> cluster.now, cluster.chance);

    var joins =
        List.of(
            cluster.join("n2", MACHINE, token),
            second.join(
                cluster.address(),
                token,
                new Enrollment.Machine("n2", OTHER, List.of("127.0.0.1:10"))));
    await(Future.join(joins).recover(some -> Future.succeededFuture()));

    assertThat(joins).filteredOn(Future::succeeded).hasSize(1);
  }

  @Test
  void aNodeThatDoesNotLeadNamesTheLeader() throws Exception {
    cluster.leads = false;

    assertThatThrownBy(() -> await(cluster.join("n2", MACHINE, cluster.token(1))))
        .hasMessage("the leader of the cluster is at 127.0.0.2:8380")
        .isInstanceOfSatisfying(
            Refused.class, it -> assertThat(it.next()).isEqualTo("verwalter join 127.0.0.2:8380"));
  }

  @Test
  void aNodeRenewsItsCertificateWhileItIsConnected() throws Exception {
    var member = await(cluster.join("n2", MACHINE, cluster.token(1)));
    var tls = cluster.tls("n2");
    var before = cluster.place("n2").pki().node();
    cluster.now = cluster.now.plus(Duration.ofDays(60));

    await(cluster.place("n2").enrollment().renew(tls, member, cluster.address()));
    await(
        cluster
            .place("n1")
            .enrollment()
            .renew(cluster.tls("n1"), cluster.first, cluster.address()));

    var after = cluster.place("n2").pki().node();
    assertThat(after.certificate().getNotAfter())
        .isEqualTo(cluster.now.plus(CertificateAuthority.NODE_LIFE));
    assertThat(after.key()).isNotEqualTo(before.key());
    cluster.now = cluster.now.plus(Duration.ofDays(80)); // the first ones have expired
    assertThat(echo("n2")).isEqualTo("node n2");
  }

  @Test
  void aStolenCertificateGetsNoCertificateOfAnotherName() throws Exception {
    await(cluster.join("n2", MACHINE, cluster.token(1)));
    await(cluster.join("n3", OTHER, cluster.token(1)));
    var request = CertificateRequest.of(CertifiedKey.newKeys(cluster.chance), "n3", cluster.chance);
    try (var thief = ClusterClient.member(cluster.vertx, cluster.tls("n2"))) {
      var issued =
          await(
              thief.send(
                  cluster.address(),
                  HttpMethod.POST,
                  ClusterServer.CERTIFICATE,
                  Optional.of(new RenewalRequest(request, List.of("127.0.0.1:92"))),
                  IssuedCertificate.class));
      var certificate = Pem.certificates(issued.certificates()).get(0);
      assertThat(CertifiedName.of(certificate).orElseThrow().name()).isEqualTo("n2");

      refusal(
          Refused.Reason.ADDRESS_TAKEN,
          () ->
              await(
                  thief.send(
                      cluster.address(),
                      HttpMethod.POST,
                      ClusterServer.CERTIFICATE,
                      Optional.of(new RenewalRequest(request, List.of("n3:8380"))),
                      IssuedCertificate.class)));
      refusal(
          Refused.Reason.FORBIDDEN,
          () ->
              await(
                  thief.send(
                      cluster.address(),
                      HttpMethod.GET,
                      ClusterServer.AUTHORITY,
                      Optional.empty(),
                      PemMessage.class)));
    }
  }

  @Test
  void aRemovedNodeGetsNoCertificate() throws Exception {
    var member = await(cluster.join("n2", MACHINE, cluster.token(1)));
    await(cluster.store.remove(cluster.store.get(Node.KIND, "n2").orElseThrow()));

    refusal(
            Refused.Reason.FORBIDDEN,
            () ->
                await(
                    cluster
                        .place("n2")
                        .enrollment()
                        .renew(cluster.tls("n2"), member, cluster.address())))
        .hasMessage("node n2 is not a node of this cluster now");
  }

  @Test
  void aNodeThatBecomesAnElectorGetsTheAuthority() throws Exception {
    var member = await(cluster.join("n2", MACHINE, cluster.token(1)));
    var enrollment = cluster.place("n2").enrollment();
    var tls = cluster.tls("n2");
    cluster.electors.add("n2");
    refusal(
        Refused.Reason.FORBIDDEN, () -> await(enrollment.fetchAuthority(tls, cluster.address())));

    await(enrollment.renew(tls, member, cluster.address()));
    await(enrollment.fetchAuthority(tls, cluster.address()));

    assertThat(cluster.place("n2").pki().authority())
        .isEqualTo(cluster.place("n1").pki().authority());
    cluster.electors.remove("n2");
    refusal(
        Refused.Reason.FORBIDDEN, () -> await(enrollment.fetchAuthority(tls, cluster.address())));
  }

  @Test
  void thePersonThatFoundsAClusterIsKnownToItsMembers() throws Exception {
    var admin =
        cluster.place("n1").enrollment().person(cluster.first, "admin", List.of("verwalter:admin"));
    var place = cluster.place("person");
    place.pki().installTrust(cluster.place("n1").pki().trust());
    place.pki().installNode(admin);

    assertThat(echo("person")).isEqualTo("user admin");
    assertThat(cluster.tls("n1").client(admin.certificate()).groups())
        .containsExactly("verwalter:admin");
    var other = await(cluster.join("n2", MACHINE, cluster.token(1)));
    assertThatThrownBy(() -> cluster.place("n2").enrollment().person(other, "admin", List.of()))
        .hasMessage("this node does not have the key of the authority");
  }

  @Test
  void aPersonGetsNoCertificateOfANode() throws Exception {
    var place = cluster.place("person");
    place.pki().installTrust(cluster.place("n1").pki().trust());
    place
        .pki()
        .installNode(
            cluster
                .place("n1")
                .enrollment()
                .person(cluster.first, "n1", List.of("verwalter:admin")));

    refusal(
        Refused.Reason.FORBIDDEN,
        () ->
            await(
                place.enrollment().renew(cluster.tls("person"), cluster.first, cluster.address())));
  }

  @Test
  void nothingButAJoinIsAnsweredWithoutACertificate() throws Exception {
    var token = cluster.token(1);
    try (var anonymous =
        ClusterClient.joining(
            cluster.vertx, new PinnedAuthority(token.authority(), () -> cluster.now))) {
      for (var path : List.of(ClusterServer.TRUST, ClusterServer.AUTHORITY, "/echo/", "/x")) {
        refusal(
                Refused.Reason.FORBIDDEN,
                () ->
                    await(
                        anonymous.send(
                            cluster.address(),
                            HttpMethod.GET,
                            path,
                            Optional.empty(),
                            PemMessage.class)))
            .hasMessage("this needs a client certificate of the cluster");
      }
    }
  }

  @Test
  void largeAndMalformedRequestsAreRefused() throws Exception {
    var token = cluster.token(1);
    try (var client =
        ClusterClient.joining(
            cluster.vertx, new PinnedAuthority(token.authority(), () -> cluster.now))) {
      refusal(
          Refused.Reason.INVALID,
          () ->
              await(
                  client.send(
                      cluster.address(),
                      HttpMethod.POST,
                      ClusterServer.JOIN,
                      Optional.of(List.of(1)),
                      IssuedCertificate.class)));
      refusal(
              Refused.Reason.INVALID,
              () ->
                  await(
                      client.send(
                          cluster.address(),
                          HttpMethod.POST,
                          ClusterServer.JOIN,
                          Optional.of("x".repeat(Messages.MOST_BYTES)),
                          IssuedCertificate.class)))
          .hasMessage("the message has more than 65536 bytes");
    }
  }

  @Test
  void aMemberThatDoesNotLeadNamesTheLeader() throws Exception {
    var token = cluster.token(1);
    var follower = cluster.follower(Optional.of(cluster.address().toString()));
    var machine = new Enrollment.Machine("n2", MACHINE, List.of("127.0.0.1:92"));

    var joined = await(cluster.place("n2").enrollment().join(follower, token, machine));

    assertThat(joined.cluster()).isEqualTo(cluster.first.cluster());
    var lonely = cluster.follower(Optional.empty());
    refusal(
            Refused.Reason.NO_LEADER,
            () -> await(cluster.place("n2").enrollment().join(lonely, token, machine)))
        .hasMessage("the cluster has no leader now, so it admits nobody");
  }

  /** A message of members. */
  record Question(String text, int number) {}

  @Test
  void malformedMessagesOfMembersAreRefused() throws Exception {
    try (var client = ClusterClient.member(cluster.vertx, cluster.tls("n1"))) {
      assertThat(
              await(
                  client.send(
                      cluster.address(), "/question", new Question("x", 2), Question.class)))
          .isEqualTo(new Question("node n1", 3));
      for (var malformed :
          List.of(List.of(1), Map.of("text", "x"), Map.of("text", "x", "number", "many"), "text")) {
        refusal(
                Refused.Reason.INVALID,
                () -> await(client.send(cluster.address(), "/question", malformed, Question.class)))
            .hasMessageStartingWith("the request is malformed: ");
      }
    }
  }

  @Test
  void aMachineThatTriesTooOftenWaits() throws Exception {
    var token = cluster.token(1);
    var wrong = new JoinTokenText(token.id(), "x".repeat(43), token.authority());
    for (int i = 0; i < 10; i++) {
      refusal(Refused.Reason.WRONG_TOKEN, () -> await(cluster.join("n2", MACHINE, wrong)));
    }

    refusal(Refused.Reason.TOO_MANY, () -> await(cluster.join("n2", MACHINE, token)));
    cluster.now = cluster.now.plusSeconds(60);
    assertThat(await(cluster.join("n2", MACHINE, token)).node()).isEqualTo("n2");
  }
}
