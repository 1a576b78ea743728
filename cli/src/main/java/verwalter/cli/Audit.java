package verwalter.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import verwalter.access.AuditChain;
import verwalter.cli.print.TextTable;
import verwalter.client.QueryParameters;
import verwalter.client.json.PlainJson;

/** {@code vw audit}: shows the audit log of a node, and checks its chain. */
final class Audit implements Verb {
  private static final String ALL = "/v1/audit";
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final List<String> FIELDS =
      List.of("at", "caller", "credential", "place", "verb", "object", "outcome");

  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw audit [verify] [flags]",
        "The writes and the refused requests that the agent served, oldest first",
        "vw audit",
        "Those of a caller, of an object, or of a time",
        "vw audit --caller ada --object RoleConfig/shop --since 1h",
        "New ones as they come",
        "vw audit --follow",
        "Check that no line was changed, removed or moved",
        "vw audit verify",
        "The same for files that you copied",
        "vw audit verify --dir ./audit");
    spec.addOption(Flags.text("NAME", "Only requests of this caller", "--caller"));
    spec.addOption(Flags.text("OBJECT", "Only this object, such as Node/a, or kind", "--object"));
    spec.addOption(Flags.text("VERB", "Only this verb, such as delete", "--verb"));
    spec.addOption(Flags.text("TIME", "Only those of the last time, such as 1h", "--since"));
    spec.addOption(Flags.flag("Only refused requests", "--refused"));
    spec.addOption(Flags.flag("Print new ones as they come", "-f", "--follow"));
    spec.addOption(Flags.text("FORM", "json: one object a line", "-o", "--output"));
    spec.addOption(Flags.text("DIR", "verify: files of this directory", "--dir"));
    Flags.arguments(spec);
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    List<String> words = args.matchedPositionalValue(0, List.of());
    var directory = args.matchedOptionValue("--dir", "");
    if (words.equals(List.of("verify"))) {
      return verify(
          directory.isEmpty() ? ofServer(session) : ofDirectory(Path.of(directory)), session);
    }
    if (!words.isEmpty()) {
      throw Failure.usage("unexpected argument: " + words.get(0), "vw help audit");
    }
    return print(args, session);
  }

  /**
   * The files of a log.
   *
   * @param head number and hash of the last line, as the agent stated it before the files were read
   * @param lines the lines of each file, in order
   */
  private record Log(String head, Map<String, List<String>> lines) {}

  private static Log ofServer(Session session) throws IOException {
    var list = session.api().read(ALL);
    var lines = new LinkedHashMap<String, List<String>>();
    for (var each : PlainJson.list(list, "items")) {
      var name = PlainJson.text(each, "name");
      lines.put(name, lines(session, name));
    }
    return new Log(PlainJson.text(list, "head"), lines);
  }

  private static List<String> lines(Session session, String name) throws IOException {
    var path = ALL + "/" + QueryParameters.segment(name);
    return complete(new String(session.api().bytes(path), UTF_8));
  }

  /** All lines; not the beginning of one that is being written. */
  private static List<String> complete(String text) {
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
  }

  private static Log ofDirectory(Path directory) throws IOException {
    var names = new TreeSet<Path>();
    try (var files = Files.newDirectoryStream(directory, "audit-*.log")) {
      files.forEach(names::add);
    }
    var head = directory.resolve("head");
    var stated = Files.exists(head) ? Files.readString(head).strip() : "";
    var lines = new LinkedHashMap<String, List<String>>();
    for (var name : names) {
      lines.put(name.toString(), complete(Files.readString(name, UTF_8)));
    }
    return new Log(stated, lines);
  }

  private static Exit verify(Log log, Session session) {
    var head = log.head().split(" ", 2);
    long stated = head.length == 2 ? Long.parseLong(head[0]) : 0;
    AuditChain chain = AuditChain.START;
    long first = 0;
    for (var file : log.lines().entrySet()) {
      for (int i = 0; i < file.getValue().size(); i++) {
        var line = file.getValue().get(i);
        var where = file.getKey() + ":" + (i + 1);
        if (first == 0) {
          chain =
              AuditChain.before(line)
                  .orElseThrow(
                      () -> broken(where, "is not a line of an audit log, or was changed"));
          first = chain.number() + 1;
        }
        var problem = chain.problem(line);
        if (problem.isPresent()) {
          throw broken(where, problem.get());
        }
        chain = chain.after(line);
        if (chain.number() == stated && !chain.hash().equals(head[1])) {
          throw broken(where, "is not the line that the agent wrote");
        }
      }
    }
    if (chain.number() < stated) {
      throw broken("the end", "lines %d to %d were removed".formatted(chain.number() + 1, stated));
    }
    session.println(
        first == 0
            ? "The audit log is empty."
            : "Lines %d to %d are complete and unchanged.".formatted(first, chain.number()));
    return Exit.OK;
  }

  private static Failure broken(String where, String why) {
    return Failure.error(
        "the audit log is broken at %s: the line %s".formatted(where, why),
        "compare the files with your copies of them");
  }

  private static Exit print(ParseResult args, Session session) throws IOException {
    boolean json = args.matchedOptionValue("--output", "").equals("json");
    boolean follow = args.matchedOptionValue("--follow", false);
    var table = new TextTable(FIELDS, session.paint());
    boolean headed = !json;
    long seen = 0;
    do {
      var found = new ArrayList<Map<String, Object>>();
      var items = PlainJson.list(session.api().read(ALL), "items");
      int from = seen == 0 ? 0 : Math.max(0, items.size() - 2);
      for (var each : items.subList(from, items.size())) {
        for (var line : lines(session, PlainJson.text(each, "name"))) {
          var fields = AuditChain.fields(line);
          if (fields.isPresent()
              && fields.get().get("number") instanceof Long number
              && number > seen) {
            seen = number;
            if (matches(fields.get(), args, session)) {
              found.add(fields.get());
            }
          }
        }
      }
      if (json) {
        found.forEach(it -> session.println(PlainJson.line(it)));
      } else {
        session.print(table.lines(found.stream().map(Audit::row).toList(), headed));
        headed = false;
      }
      if (follow) {
        session.environment().out().flush();
        session.environment().pause().pause(PAUSE);
      }
    } while (follow && !session.unread());
    return Exit.OK;
  }

  private static List<String> row(Map<String, Object> fields) {
    return FIELDS.stream().map(it -> String.valueOf(fields.get(it))).toList();
  }

  private static boolean matches(Map<String, Object> fields, ParseResult args, Session session) {
    var object = args.matchedOptionValue("--object", "");
    var its = PlainJson.text(fields, "object");
    var since = args.matchedOptionValue("--since", "");
    boolean refused = fields.get("outcome") instanceof Long code && (code == 401 || code == 403);
    return is(args, "--caller", PlainJson.text(fields, "caller"))
        && is(args, "--verb", PlainJson.text(fields, "verb"))
        && (object.isEmpty() || its.equals(object) || its.startsWith(object + "/"))
        && (refused || !args.matchedOptionValue("--refused", false))
        && (since.isEmpty()
            || PlainJson.text(fields, "at")
                    .compareTo(session.now().minus(Session.duration("--since", since)).toString())
                >= 0);
  }

  private static boolean is(ParseResult args, String option, String value) {
    var wanted = args.matchedOptionValue(option, "");
    return wanted.isEmpty() || wanted.equals(value);
  }
}
