package verwalter.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import verwalter.client.ApiException;
import verwalter.client.TextLines;

/** {@code vw logs}: prints the logs of processes on all nodes, by time. */
final class Logs implements Verb {
  private static final int LINES = 100;
  private static final Duration SILENCE = Duration.ofSeconds(60);

  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw logs NAME[/PROCESS[.NUMBER]] [flags]",
        "The last 100 lines of each process of a role, on all nodes, by time",
        "vw logs docs",
        "New lines as they come",
        "vw logs docs -f",
        "One process with its time stamps",
        "vw logs docs/web.0 --timestamps",
        "The run before the last start, such as one that has crashed",
        "vw logs docs/web --previous",
        "What was written in the last ten minutes on one node",
        "vw logs docs --since 10m --node n1",
        "Everything that is kept, also of processes that were removed",
        "vw logs docs --all");
    spec.addOption(Flags.flag("Print new lines as they come", "-f", "--follow"));
    spec.addOption(Flags.flag("The run before the last start", "-p", "--previous"));
    spec.addOption(Flags.text("TIME", "Only lines of the last time, such as 10m", "--since"));
    spec.addOption(
        Flags.text("NUMBER", "The last lines of each process; default 100, -1 for all", "--tail"));
    spec.addOption(Flags.text("NODE", "Only this node", "--node"));
    spec.addOption(
        Flags.flag("All lines that are kept, also of processes that were removed", "--all"));
    spec.addOption(Flags.flag("Print the time of each line", "--timestamps"));
    Flags.arguments(spec);
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    List<String> words = args.matchedPositionalValue(0, List.of());
    if (words.size() != 1) {
      throw Failure.usage("logs takes one name", "vw logs NAME[/PROCESS[.NUMBER]]");
    }
    var name = words.get(0);
    int slash = name.indexOf('/');
    var process = slash < 0 ? Optional.<String>empty() : Optional.of(name.substring(slash + 1));
    if (process.filter(it -> !LogRequest.isProcess(it)).isPresent()) {
      throw Failure.usage(
          "\"%s\" is not PROCESS or PROCESS.NUMBER".formatted(process.get()), "vw help logs");
    }
    boolean follow = args.matchedOptionValue("--follow", false);
    boolean previous = args.matchedOptionValue("--previous", false);
    if (follow && previous) {
      throw Failure.usage("--follow and --previous exclude each other", "vw help logs");
    }
    var request = request(args, session, process, previous);
    var places =
        new LogSources(
            session,
            slash < 0 ? name : name.substring(0, slash),
            Optional.ofNullable(args.matchedOptionValue("--node", (String) null)),
            request.all());
    var printer = new LogPrinter(session, args.matchedOptionValue("--timestamps", false));
    return follow
        ? new LogFollowing(session, places, request, printer).run()
        : print(session, request, places.find(), printer);
  }

  private static LogRequest request(
      ParseResult args, Session session, Optional<String> process, boolean previous) {
    boolean all = args.matchedOptionValue("--all", false);
    var since =
        Optional.ofNullable(args.matchedOptionValue("--since", (String) null))
            .map(it -> session.now().minus(Session.duration("--since", it)));
    var tail = args.matchedOptionValue("--tail", "");
    if (!tail.matches("|-1|\\d{1,6}")) {
      throw Failure.usage(
          "--tail must be a number of lines, or -1 for all, not \"" + tail + "\"", "vw help logs");
    }
    Optional<Integer> lines =
        tail.isEmpty()
            ? Optional.of(LINES).filter(it -> !all && !previous && since.isEmpty())
            : Optional.of(Integer.valueOf(tail)).filter(it -> it >= 0);
    return new LogRequest(process, lines, since, previous, all);
  }

  /** The next line of a node. */
  private record Head(LoggedLine line, int order, LogSources.Source place, TextLines lines) {}

  private static Exit print(
      Session session, LogRequest request, List<LogSources.Source> places, LogPrinter printer)
      throws IOException {
    var open = new ArrayList<TextLines>();
    var heads =
        new PriorityQueue<Head>(
            Comparator.comparing((Head head) -> head.line().time()).thenComparing(Head::order));
    int answered = 0;
    int lost = 0;
    Optional<ApiException> missing = Optional.empty();
    try {
      for (var place : places) {
        try {
          var lines =
              session.api().lines(request.path(place.group(), place.node(), false), SILENCE);
          open.add(lines);
          answered++;
          next(lines, place, open.size()).ifPresent(heads::add);
        } catch (ApiException refused) {
          if (refused.code() == 404) { // it has no such process
            missing = Optional.of(refused);
          } else {
            lost++;
            printer.lost(place.node(), refused.getMessage());
          }
        }
      }
      while (!heads.isEmpty() && !session.unread()) {
        var head = heads.remove();
        printer.print(head.line());
        try {
          next(head.lines(), head.place(), head.order()).ifPresent(heads::add);
        } catch (IOException broken) {
          lost++;
          printer.lost(head.place().node(), String.valueOf(broken.getMessage()));
        }
      }
    } finally {
      open.forEach(TextLines::close);
    }
    if (answered == 0 && lost == 0 && missing.isPresent()) {
      throw Failure.error(missing.get().getMessage(), "see what runs: vw get pg");
    }
    return lost == 0 ? Exit.OK : Exit.ERROR;
  }

  private static Optional<Head> next(TextLines lines, LogSources.Source place, int order)
      throws IOException {
    for (var line = lines.next(); line.isPresent(); line = lines.next()) {
      var parsed = LoggedLine.parse(place.node(), line.get());
      if (parsed.isPresent()) {
        return Optional.of(new Head(parsed.get(), order, place, lines));
      }
    }
    return Optional.empty();
  }
}
