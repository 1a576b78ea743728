package verwalter.cli;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;
import verwalter.cli.print.Paint;
import verwalter.cli.print.TerminalText;
import verwalter.client.ApiClient;
import verwalter.client.ResourceType;
import verwalter.client.WebSockets;
import verwalter.client.transport.Endpoint;
import verwalter.client.transport.SocketTransport;
import verwalter.client.transport.WebSocket;
import verwalter.model.Names;

/** One call of {@code vw}: its environment, its server, and its output. */
final class Session implements AutoCloseable {
  private static final int KEY_BYTES = 16;
  private static final Pattern TIME = Pattern.compile("(\\d{1,6})(ms|s|m|h)?");

  private final Environment environment;
  private final Settings settings;
  private final Paint paint;
  private @Nullable SocketTransport transport;
  private @Nullable ApiClient api;

  /** The values of the options that every verb has. */
  private record Settings(
      ServerAccess access, Duration timeout, String colour, boolean verbose, boolean quiet) {

    static Settings of(ParseResult args, Environment environment) {
      var colour = args.matchedOptionValue("--color", "auto");
      if (!List.of("auto", "always", "never").contains(colour)) {
        throw Failure.usage(
            "--color must be auto, always or never, not \"" + colour + "\"", "vw help get");
      }
      try {
        return new Settings(
            ServerAccess.of(option -> args.matchedOptionValue(option, ""), environment),
            duration("--request-timeout", args.matchedOptionValue("--request-timeout", "30s")),
            colour,
            args.matchedOptionValue("--verbose", false),
            args.matchedOptionValue("--quiet", false));
      } catch (IllegalArgumentException e) {
        throw Failure.usage(
            String.valueOf(e.getMessage()), "vw --server http://127.0.0.1:8379 get nodes");
      }
    }
  }

  Session(ParseResult args, Environment environment) {
    this.environment = environment;
    this.settings = Settings.of(args, environment);
    this.paint =
        Paint.wanted(settings.colour, environment.variables(), environment.terminals().out());
  }

  /**
   * The value of an option that is a duration: 500ms, 30s, 2m, 1h. A plain number is in seconds.
   */
  static Duration duration(String option, String text) {
    var time = TIME.matcher(text);
    if (!time.matches()) {
      throw Failure.usage(
          option + " must be a duration such as 5s or 1m, not \"" + text + "\"", "");
    }
    long count = Long.parseLong(time.group(1));
    var unit = time.group(2) == null ? "s" : time.group(2);
    return switch (unit) {
      case "ms" -> Duration.ofMillis(count);
      case "s" -> Duration.ofSeconds(count);
      case "m" -> Duration.ofMinutes(count);
      default -> Duration.ofHours(count);
    };
  }

  Environment environment() {
    return environment;
  }

  Paint paint() {
    return paint;
  }

  Endpoint server() {
    return settings.access.server();
  }

  Instant now() {
    return environment.clock().instant();
  }

  /** Opens a WebSocket at the server. */
  WebSocket webSocket(String path) throws IOException {
    api();
    var open = Objects.requireNonNull(transport);
    Consumer<String> log = settings.verbose ? environment.err()::println : line -> {};
    var key = new byte[KEY_BYTES];
    environment.chance().get().nextBytes(key);
    return WebSockets.open(open, settings.access.settings(log), path, key);
  }

  /** The API of the server. */
  ApiClient api() {
    if (api == null) {
      transport = settings.access.open();
      Consumer<String> log = settings.verbose ? environment.err()::println : line -> {};
      api = settings.access.api(transport, settings.timeout, log);
    }
    return api;
  }

  /** The types that a word names: one, or those of a category such as {@code all}. */
  List<ResourceType> types(String word) throws IOException {
    var types = api().types();
    var category = types.meant(word).isPresent() ? List.<ResourceType>of() : types.inCategory(word);
    return category.isEmpty() ? List.of(type(word)) : category;
  }

  /** The type that a word names. */
  ResourceType type(String word) throws IOException {
    var types = api().types();
    return types
        .meant(word)
        .orElseThrow(
            () ->
                Failure.error(
                    "the server doesn't have a resource type \"" + word + "\"",
                    Names.nearest(word, types.all().stream().flatMap(ResourceType::words).toList())
                        .map(
                            near ->
                                "did you mean \"" + near + "\"? list the types: vw api-resources")
                        .orElse("list the types: vw api-resources")));
  }

  /** Prints the output of the command: to a terminal without its control sequences. */
  void print(String text) {
    environment
        .out()
        .print(environment.terminals().out() ? TerminalText.of(text, paint.colours()) : text);
  }

  void println(String line) {
    print(line + "\n");
  }

  /** Prints a message besides the output, unless {@code --quiet} is set. */
  void say(String line) {
    if (!settings.quiet) {
      println(line);
    }
  }

  /** Whether the reader of standard output is gone. */
  boolean unread() {
    return environment.out().checkError();
  }

  @Override
  public void close() {
    if (transport != null) {
      transport.close();
    }
  }
}
