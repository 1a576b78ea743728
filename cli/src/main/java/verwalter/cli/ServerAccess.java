package verwalter.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import verwalter.client.ApiClient;
import verwalter.client.transport.Endpoint;
import verwalter.client.transport.PemFiles;
import verwalter.client.transport.SocketTransport;
import verwalter.client.transport.Tls;

/**
 * The server that commands talk to, the files that TLS needs, and the caller's token.
 *
 * @param authorities certificates of the authorities that are trusted; empty for those of the Java
 *     installation
 * @param identity the client's own certificate and key
 * @param token an access token; a secret
 */
record ServerAccess(
    Endpoint server,
    Optional<Path> authorities,
    Optional<PemFiles.Identity> identity,
    Optional<String> token) {
  static final String SERVER = "--server";
  static final String AUTHORITIES = "--certificate-authority";
  static final String CERTIFICATE = "--client-certificate";
  static final String KEY = "--client-key";
  static final String TOKEN = "--token";
  static final String TOKEN_FILE = "--token-file";
  static final String CONTEXT = "--context";

  private static final String PREFIX = "VERWALTER_";

  /**
   * Reads the options, then the context that {@code --context} names, then environment variables,
   * then the context in use. Credentials of a context are used for its own server only.
   *
   * @param option the value of an option, empty if it is not given
   * @throws IllegalArgumentException if the address of the server is not valid
   */
  static ServerAccess of(Function<String, String> option, Environment environment) {
    var setting = settings(option, environment);
    var certificate = setting.apply(CERTIFICATE);
    var key = setting.apply(KEY);
    if (certificate.isEmpty() != key.isEmpty()) {
      throw Failure.usage(
          "%s and %s must be given together".formatted(CERTIFICATE, KEY),
          "add " + (key.isEmpty() ? KEY + " FILE" : CERTIFICATE + " FILE"));
    }
    var server = setting.apply(SERVER);
    return new ServerAccess(
        server.isEmpty()
            ? LocalSockets.find(environment).orElseGet(Endpoint::local)
            : Endpoint.of(server),
        file(setting.apply(AUTHORITIES)),
        file(certificate).map(it -> new PemFiles.Identity(it, Path.of(key))),
        token(setting));
  }

  private static UnaryOperator<String> settings(
      Function<String, String> option, Environment environment) {
    UnaryOperator<String> given = option::apply;
    UnaryOperator<String> variables = name -> environment.variable(variable(name));
    var named = option.apply(CONTEXT);
    if (named.isEmpty() && !(option.apply(SERVER) + variables.apply(SERVER)).isEmpty()) {
      return either(given, variables);
    }
    var contexts = Contexts.read(environment);
    var chosen = named.isEmpty() ? contexts.current() : named;
    if (chosen.isEmpty()) {
      return either(given, variables);
    }
    var context = contexts.named(chosen);
    if (!option.apply(SERVER).isEmpty()) {
      throw Failure.usage(
          "%s and %s name two servers".formatted(SERVER, CONTEXT), "leave one of them out");
    }
    UnaryOperator<String> settings = name -> context.getOrDefault(name.substring(2), "");
    return either(given, settings);
  }

  private static UnaryOperator<String> either(
      UnaryOperator<String> first, UnaryOperator<String> second) {
    return name -> {
      var value = first.apply(name);
      return value.isEmpty() ? second.apply(name) : value;
    };
  }

  /** The variable of an option: {@code VERWALTER_CLIENT_KEY} of {@code --client-key}. */
  private static String variable(String option) {
    return PREFIX + option.substring(2).replace('-', '_').toUpperCase(Locale.ROOT);
  }

  private static Optional<String> token(UnaryOperator<String> setting) {
    var token = setting.apply(TOKEN);
    var file = setting.apply(TOKEN_FILE);
    if (!token.isEmpty() || file.isEmpty()) {
      return token.isEmpty() ? Optional.empty() : Optional.of(token);
    }
    try {
      return Optional.of(Files.readString(Path.of(file)).strip());
    } catch (IOException unreadable) {
      throw Failure.error(
          "the token file %s cannot be read: %s".formatted(file, unreadable),
          "check " + TOKEN_FILE);
    }
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
    return new ApiClient(
        transport, new ApiClient.Settings(server.toString(), agent, silence, log, token));
  }

  /** The settings of a connection that has no limit of silence. */
  ApiClient.Settings settings(Consumer<String> log) {
    return new ApiClient.Settings(
        server.toString(), "vw/" + VersionReport.OWN, Duration.ZERO, log, token);
  }

  private Tls tls() {
    return authorities.isEmpty() && identity.isEmpty()
        ? Tls.SYSTEM
        : new PemFiles(authorities, identity);
  }

  /** Runs a task beside the command, which does not wait for its end. */
  static void inThread(Runnable request) {
    var thread = new Thread(request, "request");
    thread.setDaemon(true); // an abandoned request must not keep the process alive
    thread.start();
  }
}
