package verwalter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.access.AuditChain;
import verwalter.access.AuditEntry;
import verwalter.model.AccessRule.Grant;
import verwalter.ui.port.AccessPort;

/** Tests {@code vw auth}, {@code vw config} and {@code vw audit} against the real server. */
class AuthCommandsTest {
  @TempDir Path directory;

  private final Shell shell = new Shell();
  private final List<RealServer> servers = new ArrayList<>();

  @AfterEach
  void close() {
    servers.forEach(RealServer::close);
  }

  private RealServer server() {
    var server =
        new RealServer(
            new AccessPort(
                Optional.of(Grant.OPERATOR),
                false,
                System.getProperty("user.name"),
                false,
                entry -> {},
                Optional.of(directory.resolve("audit"))));
    servers.add(server);
    shell.environment.put("HOME", directory.toString());
    return server;
  }

  @Test
  void aTokenIsMadeUsedAndRevoked() {
    var server = server();
    shell.environment.put("VERWALTER_SERVER", server.url());
    assertThat(shell.vw("auth", "create-token", "ci")).isEqualTo(1);
    assertThat(shell.err()).contains("Forbidden").contains("unix socket");
    shell.environment.put("VERWALTER_TOKEN", server.adminToken());
    assertThat(
            shell.vw(
                "auth",
                "create-token",
                "ci",
                "--grant",
                "operator",
                "--group",
                "shop",
                "--ttl",
                "99999h"))
        .as(shell.err())
        .isZero();
    var token = shell.out().strip();
    assertThat(token).startsWith("vwt_ci_");
    assertThat(shell.err()).contains("shown once").doesNotContain(token);
    assertThat(shell.vw("auth", "list")).isZero();
    assertThat(shell.out()).contains("ci").contains("verwalter:operator").doesNotContain(token);
    shell.environment.put("VERWALTER_TOKEN", token);
    assertThat(shell.vw("auth", "whoami")).isZero();
    assertThat(shell.out()).contains("ci").contains("shop, verwalter:operator").contains("bearer");
    shell.environment.put("VERWALTER_TOKEN", server.adminToken());
    assertThat(shell.vw("auth", "revoke-token", "ci")).isZero();
    shell.environment.put("VERWALTER_TOKEN", token);
    assertThat(shell.vw("get", "nodes")).isEqualTo(1);
    assertThat(shell.err()).contains("Unauthorized").contains("revoked");
  }

  @Test
  void canIAnswersWithTheServersDecision() {
    shell.environment.put("VERWALTER_SERVER", server().url());
    assertThat(shell.vw("auth", "can-i", "delete", "roleconfigs")).isZero();
    assertThat(shell.out()).startsWith("yes - ");
    assertThat(shell.vw("auth", "can-i", "create", "accessrules")).isEqualTo(1);
    assertThat(shell.out()).startsWith("no - ").contains("admin");
    assertThat(shell.vw("auth", "can-i", "--list")).isZero();
    assertThat(shell.out()).contains("roleconfigs").doesNotContain("accesstokens");
    assertThat(shell.vw("auth", "can-i", "get")).isEqualTo(2);
  }

  @Test
  void theSocketOfThisMachineIsTheDefault() throws IOException {
    var server = server();
    var socket = Files.createDirectories(directory.resolve("verwalter")).resolve("verwalter.sock");
    server.listen(socket);
    shell.environment.put("XDG_STATE_HOME", directory.toString());
    assertThat(shell.vw("auth", "whoami")).as(shell.err()).isZero();
    assertThat(shell.out())
        .contains("unix:" + System.getProperty("user.name"))
        .contains("verwalter:admin")
        .contains("unix:" + socket);
    assertThat(shell.vw("auth", "can-i", "create", "accesstokens")).isZero();
  }

  @Test
  void contextsNameServersAndCredentials() throws IOException {
    var server = server();
    var file = directory.resolve("token");
    Files.writeString(file, server.adminToken() + "\n");
    assertThat(shell.vw("config", "current-context")).isEqualTo(1);
    assertThat(
            shell.vw(
                "config",
                "set-context",
                "shop",
                "--server",
                server.url(),
                "--token-file",
                file.toString()))
        .as(shell.err())
        .isZero();
    var config = directory.resolve(".config/verwalter/config.yaml");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(config)))
        .isEqualTo("rw-------");
    assertThat(shell.vw("--context", "shop", "auth", "whoami")).as(shell.err()).isZero();
    assertThat(shell.out()).contains("boss");
    assertThat(shell.vw("config", "use-context", "shop")).isZero();
    assertThat(shell.vw("auth", "whoami")).isZero();
    assertThat(shell.out()).contains("boss").contains(server.url());
    assertThat(shell.vw("config", "get-contexts")).isZero();
    assertThat(shell.out()).contains("*").contains("shop").contains("token");
    assertThat(shell.vw("--server", server.url(), "auth", "whoami")).isZero();
    assertThat(shell.out())
        .as("the token of a context is not sent to a server that is named otherwise")
        .contains("anonymous");
    assertThat(shell.vw("config", "use-context", "none")).isEqualTo(2);
    assertThat(shell.vw("config", "delete-context", "shop")).isZero();
    assertThat(shell.vw("config", "current-context")).isEqualTo(1);
  }

  private List<String> lines(int count) {
    var lines = new ArrayList<String>();
    var chain = AuditChain.START;
    for (int i = 0; i < count; i++) {
      var entry =
          new AuditEntry(
              Instant.EPOCH.plusSeconds(i),
              i % 2 == 0 ? "ada" : "bob",
              "bearer token",
              "127.0.0.1",
              "patch",
              "RoleConfig/r" + i,
              i % 3 == 0 ? 403 : 200,
              "");
      lines.add(chain.line(entry));
      chain = chain.after(lines.get(i));
    }
    return lines;
  }

  private void store(List<String> lines, int stated) throws IOException {
    var place = Files.createDirectories(directory.resolve("audit"));
    int half = lines.size() / 2;
    Files.writeString(
        place.resolve("audit-000000000000001.log"),
        String.join("\n", lines.subList(0, half)) + "\n");
    Files.writeString(
        place.resolve("audit-000000000000004.log"),
        String.join("\n", lines.subList(half, lines.size())) + "\n");
    var last = lines(stated).get(stated - 1);
    Files.writeString(place.resolve("head"), "%019d %s%n".formatted(stated, last.substring(0, 64)));
  }

  @Test
  void theAuditLogIsShownAndVerified() throws IOException {
    var server = server();
    shell.environment.put("VERWALTER_SERVER", server.url());
    store(lines(6), 6);
    assertThat(shell.vw("audit")).as("an operator may not read it").isEqualTo(1);
    shell.environment.put("VERWALTER_TOKEN", server.adminToken());
    assertThat(shell.vw("audit")).as(shell.err()).isZero();
    assertThat(shell.out().lines()).hasSize(7);
    assertThat(shell.vw("audit", "--caller", "ada", "--refused")).isZero();
    assertThat(shell.out()).contains("RoleConfig/r0").doesNotContain("r2").doesNotContain("r3");
    assertThat(shell.vw("audit", "verify")).as(shell.err()).isZero();
    assertThat(shell.out()).contains("Lines 1 to 6 are complete");
    var changed = lines(6);
    changed.set(4, changed.get(4).replace("RoleConfig/r4", "RoleConfig/x4"));
    store(changed, 6);
    assertThat(shell.vw("audit", "verify")).isEqualTo(1);
    assertThat(shell.err()).contains("audit-000000000000004.log:2").contains("was changed");
    var removed = lines(6);
    removed.remove(1);
    store(removed, 6);
    assertThat(shell.vw("audit", "verify", "--dir", directory.resolve("audit").toString()))
        .isEqualTo(1);
    assertThat(shell.err()).contains("audit-000000000000001.log:2").contains("removed");
    store(lines(4), 6);
    assertThat(shell.vw("audit", "verify")).isEqualTo(1);
    assertThat(shell.err()).contains("lines 5 to 6 were removed");
  }
}
