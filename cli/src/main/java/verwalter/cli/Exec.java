package verwalter.cli;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code vw exec}: runs a command beside a process, with its user, directory and environment. */
final class Exec implements Verb {
  private static final OwnTerminal.Size STANDARD = new OwnTerminal.Size(24, 80);

  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw exec NAME[/PROCESS[.NUMBER]] [flags] [-- COMMAND ARG...]",
        "Run a command as the user of a process, in its directory and environment",
        "vw exec docs/web -- ls -l",
        "A shell on a terminal, on a certain node",
        "vw exec docs/web.0 --node n1 -- sh",
        "Send a file to a command; its exit code is that of vw",
        "vw exec docs/web -- wc -l <file",
        "Run a process of kind Command as its role says",
        "vw exec docs/migrate");
    spec.addOption(Flags.text("NODE", "Only this node; else the first one by name", "--node"));
    spec.addOption(
        Flags.flag("With a terminal, also if input or output are not one", "-t", "--tty"));
    spec.addOption(Flags.flag("Without a terminal", "-T", "--no-tty"));
    spec.addOption(
        Flags.flag("Accepted as in kubectl; the input is always connected", "-i", "--stdin"));
    Flags.arguments(spec);
  }

  @Override
  public VerbResult run(ParseResult args, Session session) throws IOException {
    List<String> words = args.matchedPositionalValue(0, List.of());
    if (words.isEmpty()) {
      throw Failure.usage(
          "exec takes the name of a role", "vw exec NAME[/PROCESS[.NUMBER]] -- COMMAND");
    }
    var environment = session.environment();
    boolean both = environment.terminals().in() && environment.terminals().out();
    boolean wanted = args.matchedOptionValue("--tty", false);
    boolean refused = args.matchedOptionValue("--no-tty", false);
    if (wanted && refused) {
      throw Failure.usage("--tty and --no-tty exclude each other", "vw help exec");
    }
    var target =
        ExecTarget.find(
            session,
            ExecTarget.Wanted.of(words.get(0)),
            Optional.ofNullable(args.matchedOptionValue("--node", (String) null)));
    var terminal =
        wanted || (both && !refused)
            ? Optional.of(environment.terminal().size().orElse(STANDARD))
            : Optional.<OwnTerminal.Size>empty();
    try (var socket = session.webSocket(target.path())) {
      return new ExecSession(environment, socket, terminal)
          .run(message(words.subList(1, words.size()), terminal, environment.variable("TERM")));
    }
  }

  /** The message that says what to run. */
  static Map<String, Object> message(
      List<String> command, Optional<OwnTerminal.Size> terminal, String type) {
    var message = new LinkedHashMap<String, Object>();
    message.put("command", command);
    terminal.ifPresent(
        size -> {
          var fields = ExecSession.fields(size);
          fields.put("type", type.isEmpty() ? "dumb" : type);
          message.put("terminal", fields);
        });
    return message;
  }
}
