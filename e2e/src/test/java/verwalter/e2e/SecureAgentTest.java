package verwalter.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.certificates.CertificateAuthority;
import verwalter.certificates.CertifiedKey;
import verwalter.certificates.Pem;

/** Tests an agent whose port has TLS, with the programs that people use. */
class SecureAgentTest {
  private static final SecureRandom CHANCE = new SecureRandom();
  private static final String CLUSTER = "0".repeat(32);
  private static final Duration YEAR = Duration.ofDays(365);

  @TempDir private static Path root;
  private static CertifiedKey authority;
  private static LaunchedAgent agent;

  @BeforeAll
  static void start() throws Exception {
    authority = CertificateAuthority.create(CLUSTER, Instant.now(), CHANCE);
    write("authority.pem", Pem.of(authority.chain()));
    write("people.pem", Pem.of(authority.chain()));
    write("server.pem", server(authority).pem());
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx--x--x"));
    agent =
        LaunchedAgent.start(
            root,
            Site.in(root),
            "--anonymous=viewer",
            "--socket-group=nogroup",
            "--tls-cert=" + root.resolve("server.pem"),
            "--tls-key=" + root.resolve("server.pem"),
            "--tls-client-ca=" + root.resolve("people.pem"));
  }

  @AfterAll
  static void stop() throws Exception {
    if (agent != null) {
      agent.close();
    }
  }

  private static Path write(String name, String text) throws IOException {
    var unfinished = Files.writeString(root.resolve(name + ".new"), text);
    return Files.move(
        unfinished,
        root.resolve(name),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  private static CertifiedKey server(CertifiedKey issuer) {
    var keys = CertifiedKey.newKeys(CHANCE);
    var certificate =
        new CertificateAuthority(CLUSTER, issuer, CHANCE)
            .node(
                keys.getPublic(),
                "alone",
                false,
                Optional.empty(),
                List.of("127.0.0.1"),
                Instant.now());
    return new CertifiedKey(keys.getPrivate(), List.of(certificate, issuer.certificate()));
  }

  /** A file with the key and the certificate of a person. */
  private static String person(
      CertifiedKey issuer, String name, Instant since, Duration life, String... groups)
      throws IOException {
    var keys = CertifiedKey.newKeys(CHANCE);
    var certificate =
        new CertificateAuthority(CLUSTER, issuer, CHANCE)
            .user(keys.getPublic(), name, List.of(groups), life, since);
    var key = new CertifiedKey(keys.getPrivate(), List.of(certificate, issuer.certificate()));
    return write(name + ".pem", key.pem()).toString();
  }

  private static String person(String name, String... groups) throws IOException {
    return person(authority, name, Instant.now(), YEAR, groups);
  }

  private record Output(int code, String text) {}

  private static Output run(List<String> command) throws Exception {
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    var text = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Output(process.waitFor(), text);
  }

  private static Output vw(List<String> credentials, String... arguments) throws Exception {
    var command =
        new ArrayList<>(
            List.of(
                LaunchedAgent.HOME.resolve("vw").toString(),
                "--server=" + agent.url(),
                "--certificate-authority=" + root.resolve("authority.pem")));
    command.addAll(credentials);
    command.addAll(List.of(arguments));
    return run(command);
  }

  private static List<String> certificate(String file) {
    return List.of("--client-certificate=" + file, "--client-key=" + file);
  }

  /** The caller that the agent sees, or "error". Messages of errors may contain names of files. */
  private static String whoami(List<String> credentials) throws Exception {
    var answer = vw(credentials, "auth", "whoami");
    return answer.code() == 0 ? answer.text() : "error";
  }

  @Test
  void knowsCallersByTheirCertificates() throws Exception {
    assertThat(whoami(certificate(person("ada", "verwalter:operator", "shop"))))
        .contains("ada", "verwalter:operator", "shop", "client certificate");
    assertThat(whoami(List.of())).contains("anonymous");
    var past = Instant.now().minus(Duration.ofDays(3));
    assertThat(whoami(certificate(person(authority, "eve", past, Duration.ofDays(1)))))
        .doesNotContain("client certificate")
        .contains("error");
    var other = CertificateAuthority.create(CLUSTER, Instant.now(), CHANCE);
    assertThat(whoami(certificate(person(other, "mallory", Instant.now(), YEAR))))
        .doesNotContain("client certificate")
        .contains("error");
  }

  @Test
  void usesContexts() throws Exception {
    var ada = person("carl", "verwalter:viewer");
    var config = root.resolve("contexts");
    var set =
        in(
            config,
            "config",
            "set-context",
            "prod",
            "--server=" + agent.url(),
            "--certificate-authority=" + root.resolve("authority.pem"),
            "--client-certificate=" + ada,
            "--client-key=" + ada);
    assertThat(set.code()).as(set.text()).isZero();
    assertThat(in(config, "--context", "prod", "auth", "whoami").text()).contains("carl");
    assertThat(in(config, "config", "use-context", "prod").code()).isZero();
    assertThat(in(config, "auth", "whoami").text()).contains("carl");
    assertThat(in(config, "auth", "can-i", "delete", "nodes").text()).contains("no");
    assertThat(in(config, "--context", "other", "auth", "whoami").code()).isNotZero();
  }

  private static Output in(Path config, String... arguments) throws Exception {
    var command = new ArrayList<>(List.of(LaunchedAgent.HOME.resolve("vw").toString()));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("XDG_CONFIG_HOME", config.toString());
    var process = builder.start();
    process.getOutputStream().close();
    var text = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Output(process.waitFor(), text);
  }

  /** Runs kubectl with these lines as its user. */
  private static Output kubectl(String user, String... arguments) throws Exception {
    var config =
        write(
            "kubeconfig",
            """
            apiVersion: v1
            kind: Config
            current-context: it
            contexts: [{name: it, context: {cluster: it, user: it}}]
            clusters: [{name: it, cluster: {server: "%s", certificate-authority: authority.pem}}]
            users: [{name: it, user: {%s}}]
            """
                .formatted(agent.url(), user));
    var command =
        new ArrayList<>(
            List.of(
                "kubectl", "--kubeconfig=" + config, "--cache-dir=" + root.resolve("kube-cache")));
    command.addAll(List.of(arguments));
    return run(command);
  }

  @Test
  void kubectlMayDoWhatItsCredentialAllows() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/kubectl")), "kubectl is installed");
    var node =
        write(
                "node.yaml",
                """
            apiVersion: verwalter.io/v1
            kind: Node
            metadata: {name: spare}
            spec: {cordoned: true}
            """)
            .toString();
    var token =
        agent
            .vwAsAdmin("auth", "create-token", "kube", "--grant", "operator", "--ttl", "1h")
            .text()
            .lines()
            .filter(it -> it.startsWith("vwt_"))
            .findFirst()
            .orElseThrow();
    person("olga", "verwalter:operator");
    person("vera", "verwalter:viewer");
    for (var user :
        List.of("client-certificate: olga.pem, client-key: olga.pem", "token: \"" + token + "\"")) {
      assertThat(kubectl(user, "auth", "can-i", "create", "nodes").text()).contains("yes");
      assertThat(kubectl(user, "auth", "can-i", "get", "accesstokens").text()).contains("no");
      var applied = kubectl(user, "apply", "-f", node);
      assertThat(applied.code()).as(applied.text()).isZero();
      assertThat(kubectl(user, "get", "nodes", "spare").text()).contains("spare");
      assertThat(kubectl(user, "get", "accesstokens").text()).contains("Forbidden");
      assertThat(kubectl(user, "delete", "node", "spare").text()).contains("Forbidden");
      var deleted = agent.vwAsAdmin("delete", "node", "spare", "--yes");
      assertThat(deleted.code()).as(deleted.text()).isZero();
    }
    var viewer = "client-certificate: vera.pem, client-key: vera.pem";
    assertThat(kubectl(viewer, "auth", "whoami").text()).contains("vera", "verwalter:viewer");
    assertThat(kubectl(viewer, "get", "nodes").code()).isZero();
    assertThat(kubectl(viewer, "auth", "can-i", "delete", "nodes").text()).contains("no");
    assertThat(kubectl(viewer, "apply", "-f", node).text()).contains("orbidden");
    assertThat(kubectl(viewer, "delete", "node", "alone").text()).contains("Forbidden");
    assertThat(agent.vwAsAdmin("auth", "revoke-token", "kube").code()).isZero();
    assertThat(kubectl("token: \"" + token + "\"", "get", "nodes").text())
        .contains("the token is not valid, or was revoked");
  }

  @Test
  void usesReplacedFilesWithoutARestart() throws Exception {
    var before = served();
    var ada = certificate(person("anna", "verwalter:viewer"));
    assertThat(whoami(ada)).contains("anna");
    var other = CertificateAuthority.create(CLUSTER, Instant.now(), CHANCE);
    write("server.pem", server(authority).pem());
    write("people.pem", Pem.of(other.chain()));

    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> !served().equals(before) && !whoami(ada).contains("anna"));

    assertThat(whoami(certificate(person(other, "oskar", Instant.now(), YEAR, "shop"))))
        .contains("oskar");
    write("people.pem", "damaged");
    write("people.pem", Pem.of(authority.chain()));
    await().atMost(Duration.ofSeconds(30)).until(() -> whoami(ada).contains("anna"));
  }

  private static X509Certificate served() throws IOException {
    try (var socket = (SSLSocket) LaunchedAgent.TRUSTING.getSocketFactory().createSocket()) {
      var port = Integer.parseInt(agent.url().substring(agent.url().lastIndexOf(':') + 1));
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      socket.startHandshake();
      return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    } catch (SSLPeerUnverifiedException none) {
      throw new IOException(none);
    }
  }

  /** Asks over the unix socket who the caller is, as another user of this machine. */
  private static final String ASK =
      """
      import socket, sys
      s = socket.socket(socket.AF_UNIX)
      s.connect(sys.argv[1])
      s.sendall(b"POST /apis/authentication.k8s.io/v1/selfsubjectreviews HTTP/1.1\\r\\n"
                b"Host: localhost\\r\\nConnection: close\\r\\n"
                b"Content-Type: application/json\\r\\nContent-Length: 2\\r\\n\\r\\n{}")
      text = b""
      while (part := s.recv(4096)):
          text += part
      print(text.decode())
      """;

  @Test
  void letsTheGroupOfTheSocketConnect() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "only root can change the user");
    var socket = root.resolve("storage/verwalter.sock").toString();
    assertThat(ask(socket, "nogroup")).contains("unix:nobody", "verwalter:operator");
    assertThat(ask(socket, "games")).contains("PermissionError");
  }

  private static String ask(String socket, String group) throws Exception {
    return run(List.of(
            "setpriv",
            "--reuid=nobody",
            "--regid=" + group,
            "--clear-groups",
            "/usr/bin/python3",
            "-c",
            ASK,
            socket))
        .text();
  }
}
