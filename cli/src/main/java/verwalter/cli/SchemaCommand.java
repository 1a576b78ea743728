package verwalter.cli;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code vw schema}: prints the JSON Schema of files, for editors. It needs no server. */
final class SchemaCommand implements Verb {
  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw schema service",
        "The JSON Schema of roles/NAME.yaml, for an editor that completes and checks fields",
        "vw schema service > service.schema.json");
    Flags.arguments(spec);
  }

  @Override
  public Exit run(ParseResult args, Session session) {
    List<String> words = args.matchedPositionalValue(0, List.of());
    if (!words.equals(List.of("service"))) {
      throw Failure.usage("schema takes the name of a schema: service", "vw schema service");
    }
    session.print(Manual.serviceSchema());
    return Exit.OK;
  }
}
