package verwalter.cli;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;
import verwalter.cli.api.Api;
import verwalter.cli.api.Type;
import verwalter.cli.http.Endpoint;
import verwalter.cli.http.Http;
import verwalter.cli.print.Paint;

/** One call of {@code vw}: the world, the server, and how to speak to the operator. */
final class Session implements AutoCloseable {
  private static final Pattern TIME = Pattern.compile("(\\d{1,6})(ms|s|m|h)?");

  private final Environment world;
  private final Settings settings;
  private final Paint paint;
  private @Nullable Http http;
  private @Nullable Api api;

  /** What the options every verb has say. */
  private record Settings(
      Endpoint server, Duration patience, String colour, boolean verbose, boolean quiet) {

    static Settings of(ParseResult args, Environment world) {
      var server = args.matchedOptionValue("--server", world.variable("VERWALTER_SERVER"));
      var colour = args.matchedOptionValue("--color", "auto");
      if (!List.of("auto", "always", "never").contains(colour)) {
        throw Failure.usage(
            "--color is auto, always or never, not \"" + colour + "\"", "vw help get");
      }
      try {
        return new Settings(
            Endpoint.of(server.isEmpty() ? "http://127.0.0.1:" + Endpoint.DEFAULT_PORT : server),
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

  Session(ParseResult args, Environment world) {
    this.world = world;
    this.settings = Settings.of(args, world);
    this.paint = Paint.wanted(settings.colour, world.environment(), world.terminals().out());
  }

  /** A time as options take it: 500ms, 30s, 2m, 1h; a number alone counts seconds. */
  static Duration duration(String option, String text) {
    var time = TIME.matcher(text);
    if (!time.matches()) {
      throw Failure.usage(option + " is a time such as 5s or 1m, not \"" + text + "\"", "");
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

  Environment world() {
    return world;
  }

  Paint paint() {
    return paint;
  }

  Endpoint server() {
    return settings.server;
  }

  Instant now() {
    return world.clock().instant();
  }

  /** The API, on a connection that all requests but watches share. */
  Api api() {
    if (api == null) {
      http = connection(settings.patience);
      api = new Api(http, settings.verbose ? world.err()::println : line -> {});
    }
    return api;
  }

  /** A connection of its own, for an answer that takes its time. */
  Http connection(Duration patience) {
    return new Http(settings.server, patience, "vw/" + Version.own());
  }

  /** The types a word means: one, or those of a category such as {@code all}. */
  List<Type> types(String word) throws IOException {
    var types = api().types();
    var category = types.meant(word).isPresent() ? List.<Type>of() : types.inCategory(word);
    return category.isEmpty() ? List.of(type(word)) : category;
  }

  /** The type a word means. */
  Type type(String word) throws IOException {
    var types = api().types();
    return types
        .meant(word)
        .orElseThrow(
            () ->
                Failure.error(
                    "the server doesn't have a resource type \"" + word + "\"",
                    Nearest.of(word, types.all().stream().flatMap(Type::words).toList())
                        .map(near -> "did you mean \"" + near + "\"? all types: vw api-resources")
                        .orElse("list the types: vw api-resources")));
  }

  /** Prints what was asked for. */
  void print(String text) {
    world.out().print(text);
  }

  void println(String line) {
    world.out().println(line);
  }

  /** Prints something that was not asked for, unless it should be quiet. */
  void say(String line) {
    if (!settings.quiet) {
      world.out().println(line);
    }
  }

  /** Whether nobody reads what is printed any more. */
  boolean unread() {
    return world.out().checkError();
  }

  @Override
  public void close() {
    if (http != null) {
      http.close();
    }
  }
}
