package verwalter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.model.AuthorityChange;
import verwalter.model.JoinToken;
import verwalter.model.JoinTokenText;
import verwalter.ui.port.ClusterSetup;

/** {@code vw cluster} and {@code vw token} with the real server. */
class ClusterCommandTest {
  private static final String ID = "0123456789abcdef0123456789abcdef";
  private static final String AUTHORITY = "ab".repeat(32);

  @TempDir Path directory;
  private volatile Optional<ClusterSetup.Description> founded = Optional.empty();
  private volatile Optional<ClusterSetup.Description> description = Optional.empty();
  private volatile boolean recovered;
  private final RealServer server =
      new RealServer(
          new ClusterSetup() {
            @Override
            public Future<Optional<Description>> describe() {
              return Future.succeededFuture(description);
            }

            @Override
            public void restart() {
              description = founded;
            }

            @Override
            public Future<Founding> found(Optional<String> address) {
              if (description.isPresent()) {
                return Future.failedFuture(new IOException("this machine is node n1 already"));
              }
              if (address.filter("bad"::equals).isPresent()) {
                return Future.failedFuture(new IllegalArgumentException("\"bad\" is no HOST"));
              }
              var found =
                  new Description(
                      ID,
                      "n1",
                      address.orElse("10.0.0.1") + ":8380",
                      AUTHORITY,
                      "2027-02-20T00:00:00Z",
                      List.of(new Member("n1", true, List.of("10.0.0.1:8380"))));
              founded = Optional.of(found);
              return Future.succeededFuture(new Founding(found, "KEY", "CA"));
            }

            @Override
            public Future<Recovery> recovery() {
              return Future.succeededFuture(
                  new Recovery("n1", 42, "2026-11-22T12:00:00Z", List.of("n2", "n3")));
            }

            @Override
            public Future<Recovery> recover() {
              recovered = true;
              return recovery();
            }
          });
  private final Shell shell = new Shell();

  ClusterCommandTest() {
    shell.environment.put("VERWALTER_SERVER", server.url());
    shell.environment.put("USER", "tim");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private int vw(String... words) {
    shell.environment.put("HOME", directory.toString());
    shell.environment.put("VERWALTER_TOKEN", server.adminToken());
    return shell.vw(words);
  }

  private List<JoinToken.Spec> tokens() {
    return server.list(JoinToken.KIND).stream().map(it -> it.spec()).toList();
  }

  @Test
  void foundsAClusterAndPrintsTheNextCommand() throws Exception {
    assertThat(vw("cluster", "init", "--address", "10.0.0.7")).as(shell.err()).isZero();

    var lines = shell.out().lines().toList();
    assertThat(lines.get(0))
        .isEqualTo("cluster " + ID + ": this machine is node n1 at 10.0.0.7:8380");
    var next = lines.get(2);
    assertThat(next).startsWith("on the new machine: verwalter join 10.0.0.7:8380 --token vwj1.");
    var token = JoinTokenText.parse(next.substring(next.lastIndexOf(' ') + 1));
    assertThat(token.authority()).isEqualTo(AUTHORITY);
    assertThat(tokens()).hasSize(1).allMatch(it -> JoinTokenText.isSecret(token.secret(), it));
    var credentials = directory.resolve(".config/verwalter/" + ID + ".admin.pem");
    assertThat(credentials).hasContent("KEY");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(credentials)))
        .isEqualTo("rw-------");
  }

  @Test
  void refusesASecondCluster() {
    vw("cluster", "init");

    assertThat(vw("cluster", "init")).isEqualTo(1);
    assertThat(shell.err()).contains("this machine is node n1 already");
  }

  @Test
  void refusesAnAddressThatIsNotValid() {
    assertThat(vw("cluster", "init", "--address", "bad")).isEqualTo(1);
    assertThat(shell.err()).contains("\"bad\" is no HOST");
    assertThat(directory.resolve(".config")).doesNotExist();
  }

  @Test
  void showsTheCluster() {
    assertThat(vw("cluster", "status")).isEqualTo(1);
    assertThat(shell.err()).contains("this node is in no cluster; found one: vw cluster init");

    vw("cluster", "init");
    assertThat(vw("cluster", "status")).isZero();
    assertThat(shell.out())
        .contains("authority    sha256:" + AUTHORITY)
        .contains("certificate  valid until 2027-02-20T00:00:00Z")
        .contains("n1     elector   10.0.0.1:8380");
  }

  private AuthorityChange.Spec change() {
    return server.list(AuthorityChange.KIND).get(0).spec();
  }

  private void reach(AuthorityChange.Phase phase, AuthorityChange.Waiting... waiting) {
    var change = server.list(AuthorityChange.KIND).get(0);
    server.putStatus(
        change.withStatus(
            new AuthorityChange.Status(1, phase, "OLD", "NEXT", false, List.of(waiting))));
  }

  @Test
  void replacesTheAuthority() {
    vw("cluster", "init");
    assertThat(vw("cluster", "rotate-ca", "--abort")).isEqualTo(1);
    assertThat(vw("cluster", "rotate-ca", "--no-wait")).as(shell.err()).isZero();
    assertThat(change()).isEqualTo(new AuthorityChange.Spec(false, List.of()));

    reach(AuthorityChange.Phase.DISTRIBUTE, new AuthorityChange.Waiting("n3", "has not reported"));
    assertThat(vw("cluster", "status")).isZero();
    assertThat(shell.out()).contains("new authority Distribute: n3 has not reported");
    assertThat(vw("cluster", "rotate-ca", "--without", "n3,n4", "--no-wait")).isZero();
    assertThat(change()).isEqualTo(new AuthorityChange.Spec(false, List.of("n3", "n4")));

    reach(AuthorityChange.Phase.RENEW);
    assertThat(vw("cluster", "rotate-ca", "--abort")).isEqualTo(1);
    assertThat(shell.err()).contains("in use already");
    reach(AuthorityChange.Phase.DONE);
    assertThat(vw("cluster", "rotate-ca", "--no-wait")).isZero();
    assertThat(server.list(AuthorityChange.KIND).get(0).status()).isEmpty();
    assertThat(vw("cluster", "rotate-ca", "--abort", "--no-wait")).isZero();
    assertThat(change().abort()).isTrue();
    reach(AuthorityChange.Phase.DONE);
    assertThat(vw("cluster", "status")).isZero();
    assertThat(shell.out()).doesNotContain("new authority");
  }

  @Test
  void createsListsAndRevokesTokens() {
    vw("cluster", "init", "-q");

    assertThat(vw("token", "create", "--uses", "3", "--ttl", "1h", "--name", "n2")).isZero();
    var token = JoinTokenText.parse(shell.out());
    assertThat(shell.err()).contains("verwalter join 10.0.0.1:8380 --token " + token.text());
    assertThat(tokens())
        .contains(
            new JoinToken.Spec(
                JoinToken.Purpose.NODE,
                Optional.of("n2"),
                token.hash(),
                3,
                Shell.NOW.plusSeconds(3600),
                "tim"));

    assertThat(vw("token", "list")).isZero();
    assertThat(shell.out())
        .containsPattern(token.id() + " +node n2 +0/3 +2026-11-21T11:31:50Z +tim")
        .doesNotContain(token.secret());
    vw("get", "jt", "-o", "yaml");
    assertThat(shell.out()).contains(token.id()).doesNotContain(token.secret());

    assertThat(vw("token", "delete", token.id())).isZero();
    assertThat(tokens()).hasSize(1);
  }

  @Test
  void refusesOptionsOfTokensThatAreNotValid() {
    vw("cluster", "init");
    for (var options :
        List.of(
            "--uses 0",
            "--uses 10001",
            "--ttl 0s",
            "--ttl 2161h",
            "--for x",
            "--for channel",
            "--name a/b")) {
      var words = ("token create " + options).split(" ", -1);
      assertThat(vw(words)).as(options).isEqualTo(2);
    }
    assertThat(vw("token", "create", "more")).isEqualTo(2);
    assertThat(vw("token", "delete")).isEqualTo(2);
    assertThat(vw("token")).isEqualTo(2);
    assertThat(tokens()).hasSize(1);
  }

  @Test
  void aRecoverySaysWhatItKeepsAndAsks() {
    assertThat(vw("cluster", "recover")).isNotZero();
    assertThat(shell.err())
        .contains("up to entry 42", "n2, n3", "confirmation, and standard input is not a terminal");
    assertThat(recovered).isFalse();

    assertThat(vw("cluster", "recover", "--yes")).as(shell.err()).isZero();
    assertThat(recovered).isTrue();
  }
}
