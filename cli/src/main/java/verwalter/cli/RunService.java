package verwalter.cli;

import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code vw run}: writes a service with one process, and waits until it runs. */
final class RunService implements Verb {
  private static final String AGAIN = "vw run NAME [flags] -- COMMAND [ARG...]";

  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw run NAME [flags] -- COMMAND [ARG...]",
        "Write roles/docs.yaml, and wait until its three processes run",
        "vw run docs --instances 3 --port http=11310-11319 -- python3 -m http.server"
            + " '${port.http}'",
        "In the directory that an agent reads",
        "vw run worker --config-dir /etc/verwalter --user shop --env LOG=debug -- /srv/shop/worker",
        "Only write the file",
        "vw run worker --no-wait -- /srv/shop/worker");
    spec.addOption(
        Flags.text(
            "N", "The number of processes on all nodes together (default 1)", "--instances"));
    spec.addOption(
        Flags.texts(
            "NAME=RANGE",
            "A port, or a range from which each process gets its own; ${port.NAME} in the command",
            "--port"));
    spec.addOption(Flags.texts("NAME=VALUE", "An environment variable", "--env"));
    spec.addOption(Flags.text("USER", "The user; default nobody if the agent is root", "--user"));
    spec.addOption(Flags.text("DIR", "The working directory (default /)", "--directory"));
    spec.addOption(ServiceDirectory.option());
    spec.addOption(Flags.flag("Only write the file", "--no-wait"));
    spec.addOption(Flags.text("TIME", "How long to wait (default 1m)", "--timeout"));
    Flags.arguments(spec);
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    List<String> words = args.matchedPositionalValue(0, List.of());
    if (words.size() < 2) {
      throw Failure.usage("run takes a name and a command", AGAIN);
    }
    var name = words.get(0);
    var timeout = Session.duration("--timeout", args.matchedOptionValue("--timeout", "1m"));
    var directory = ServiceDirectory.of(args);
    directory.checkNew(name, AGAIN);
    var draft = ServiceDraft.of(words.subList(1, words.size()), args);
    boolean waits = !args.matchedOptionValue("--no-wait", false);
    if (waits) {
      session.api().types(); // before the file is written, so that the same command works later
    }
    var file = directory.create(name, draft.text(), AGAIN);
    session.say("%s is written".formatted(file));
    return waits ? new ServiceStart(session, name, draft, file).await(timeout) : Exit.OK;
  }
}
