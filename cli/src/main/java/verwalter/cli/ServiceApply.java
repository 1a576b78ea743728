package verwalter.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import verwalter.cli.print.TextTable;
import verwalter.cli.yaml.Manifest;
import verwalter.model.json.DecodeException;
import verwalter.model.service.ServiceFile;

/**
 * The services among the documents of {@code vw apply}: those without a kind. They become files of
 * the configuration directory, which describes services, and no objects of the server.
 */
final class ServiceApply {
  private static final String NAME = "--name";
  private static final String AGAIN = "vw apply -f FILE --name NAME";

  /** What the agent reads. */
  private static final int LONGEST = 1 << 20;

  private final Session session;
  private final ParseResult args;
  private final boolean dry;
  private final Set<String> names = new HashSet<>();

  /**
   * @param manifests all documents
   */
  ServiceApply(Session session, ParseResult args, List<Manifest> manifests) {
    this.session = session;
    this.args = args;
    this.dry = args.matchedOptionValue("--dry-run", "none").equals("server");
    long services = manifests.stream().filter(ServiceApply::isService).count();
    if (args.hasMatchedOption(NAME) && services != 1) {
      throw Failure.usage(
          "--name is the name of one service, and there are " + services, "vw apply -f FILE");
    }
    if (services > 0 && !List.of("", "name").contains(args.matchedOptionValue("--output", ""))) {
      throw Failure.usage(
          "a service is a file, and no object that --output can print", "vw apply -f FILE");
    }
  }

  static OptionSpec nameOption() {
    return Flags.text("NAME", "The name of a service; default: that of its file", NAME);
  }

  /** Whether a document is a service: it has nothing of an object. */
  static boolean isService(Manifest manifest) {
    return Stream.of("apiVersion", "kind", "metadata", "spec")
        .noneMatch(manifest.object()::containsKey);
  }

  /** Writes the file of a service. Returns whether an agent would read it. */
  boolean apply(Manifest manifest) throws IOException {
    var name = name(manifest);
    if (!ServiceFile.isName(name)) {
      throw Failure.usage("\"%s\" is no name: %s".formatted(name, ServiceFile.NAME_RULE), AGAIN);
    }
    if (!names.add(name)) {
      throw Failure.error(
          "%s: the service %s is there twice".formatted(manifest.where(), name),
          "give each service a file of its own: its name is that of the file");
    }
    var text = withoutEmptyLines(manifest.document());
    try {
      // Problems have the lines of the whole file.
      ServiceFile.read(manifest.document(), manifest.file());
      ServiceFile.read(text, manifest.file());
    } catch (DecodeException refused) {
      refused.problems().forEach(each -> complain(each.toString()));
      return false;
    }
    if (text.getBytes(StandardCharsets.UTF_8).length > LONGEST) {
      throw Failure.error(manifest.where() + ": the service has more than 1 MiB", "");
    }
    var directory = ServiceDirectory.of(args);
    var before = directory.read(name);
    var file = dry ? directory.present(name) : directory.replace(name, text);
    tell(
        name,
        before.isEmpty() ? "created" : before.get().equals(text) ? "unchanged" : "configured",
        file);
    if (dry) {
      ChangedLines.between(before.orElse(""), text).forEach(session::say);
    }
    return true;
  }

  /** The text from its first line that is not empty. The space before that line has a meaning. */
  private static String withoutEmptyLines(String text) {
    int begin = 0;
    for (int end = text.indexOf('\n');
        end >= 0 && text.substring(begin, end).isBlank();
        end = text.indexOf('\n', begin)) {
      begin = end + 1;
    }
    return text.substring(begin);
  }

  private String name(Manifest manifest) {
    var given = args.matchedOptionValue(NAME, "");
    if (!given.isEmpty()) {
      return given;
    }
    if (manifest.file().startsWith("<")) {
      throw Failure.usage("a service from standard input needs a name", AGAIN);
    }
    var file = String.valueOf(Path.of(manifest.file()).getFileName());
    return file.replaceFirst("\\.(yaml|yml|json)$", "");
  }

  private void complain(String problem) {
    PrintStream err = session.environment().err();
    problem.lines().map(TextTable::clean).forEach(err::println);
  }

  private void tell(String name, String what, Path file) {
    boolean brief = args.matchedOptionValue("--output", "").equals("name");
    session.say(
        brief
            ? "service/" + name
            : "service/%s %s in %s%s".formatted(name, what, file, dry ? " (dry run)" : ""));
  }
}
