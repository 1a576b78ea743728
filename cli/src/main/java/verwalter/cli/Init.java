package verwalter.cli;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import verwalter.model.service.ServiceExample;

/** {@code vw init}: writes an example of a service. It needs no server. */
final class Init implements Verb {
  private static final String NAME = "web";
  private static final String AGAIN = "vw init NAME";

  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw init [NAME] [--config-dir DIR]",
        "Write roles/web.yaml, with a comment for each field",
        "vw init",
        "A service shop in the directory that an agent reads",
        "vw init shop --config-dir /etc/verwalter");
    spec.addOption(ServiceDirectory.option());
    Flags.arguments(spec);
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    List<String> words = args.matchedPositionalValue(0, List.of());
    if (words.size() > 1) {
      throw Failure.usage("init takes at most one name", AGAIN);
    }
    var name = words.isEmpty() ? NAME : words.get(0);
    var directory = ServiceDirectory.of(args);
    directory.checkNew(name, AGAIN);
    var file = directory.create(name, ServiceExample.text(Optional.empty()), AGAIN);
    session.say("%s is written: an example that runs as it is".formatted(file));
    session.say("run it: verwalter --config-dir=%s".formatted(directory.config()));
    return Exit.OK;
  }
}
