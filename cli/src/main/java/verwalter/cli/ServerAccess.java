package verwalter.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import verwalter.client.ApiClient;
import verwalter.client.transport.Endpoint;
import verwalter.client.transport.PemFiles;
import verwalter.client.transport.SocketTransport;
import verwalter.client.transport.Tls;

/**
 * The server that commands talk to, and the files that TLS needs.
 *
 * @param authorities certificates of the authorities that are trusted; empty for those of the Java
 *     installation
 * @param identity the client's own certificate and key
 */
record ServerAccess(
    Endpoint server, Optional<Path> authorities, Optional<PemFiles.Identity> identity) {
  static final String SERVER = "--server";
  static final String AUTHORITIES = "--certificate-authority";
  static final String CERTIFICATE = "--client-certificate";
  static final String KEY = "--client-key";

  /**
   * Reads the options, and environment variables for those that are not given.
   *
   * @param option the value of an option, empty if it is not given
   * @throws IllegalArgumentException if the address of the server is not valid
   */
  static ServerAccess of(Function<String, String> option, Environment environment) {
    var server = setting(option, environment, SERVER, "VERWALTER_SERVER");
    var authorities = setting(option, environment, AUTHORITIES, "VERWALTER_CERTIFICATE_AUTHORITY");
    var certificate = setting(option, environment, CERTIFICATE, "VERWALTER_CLIENT_CERTIFICATE");
    var key = setting(option, environment, KEY, "VERWALTER_CLIENT_KEY");
    if (certificate.isEmpty() != key.isEmpty()) {
      throw Failure.usage(
          "%s and %s must be given together".formatted(CERTIFICATE, KEY),
          "add " + (key.isEmpty() ? KEY + " FILE" : CERTIFICATE + " FILE"));
    }
    return new ServerAccess(
        server.isEmpty() ? Endpoint.local() : Endpoint.of(server),
        file(authorities),
        file(certificate).map(it -> new PemFiles.Identity(it, Path.of(key))));
  }

  private static String setting(
      Function<String, String> option, Environment environment, String name, String variable) {
    var given = option.apply(name);
    return given.isEmpty() ? environment.variable(variable) : given;
  }

  private static Optional<Path> file(String name) {
    return name.isEmpty() ? Optional.empty() : Optional.of(Path.of(name));
  }

  /** A transport to the server. Each request has its own thread. */
  SocketTransport open() {
    return new SocketTransport(server, tls(), ServerAccess::inThread);
  }

  /** The API over a transport of {@link #open}. */
  ApiClient api(SocketTransport transport, Duration silence, Consumer<String> log) {
    var agent = "vw/" + VersionReport.OWN;
    return new ApiClient(transport, new ApiClient.Settings(server.toString(), agent, silence, log));
  }

  private Tls tls() {
    return authorities.isEmpty() && identity.isEmpty()
        ? Tls.SYSTEM
        : new PemFiles(authorities, identity);
  }

  private static void inThread(Runnable request) {
    var thread = new Thread(request, "request");
    thread.setDaemon(true); // an abandoned request must not keep the process alive
    thread.start();
  }
}
