package verwalter.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import verwalter.cli.print.TextTable;
import verwalter.client.ApiClient;
import verwalter.client.ResourceType;

/** {@code vw api-resources}: lists the types that the server has. */
final class ApiResources implements Verb {
  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec, "vw api-resources [flags]", "All types, with their short names", "vw api-resources");
    spec.addOption(Flags.text("FORM", "name or wide", "-o", "--output"));
    spec.addOption(Flags.flag("Print no headings", "--no-headers"));
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    var form = args.matchedOptionValue("--output", "");
    if (!List.of("", "wide", "name").contains(form)) {
      throw Failure.usage("-o must be name or wide, not \"" + form + "\"", "");
    }
    var types =
        session.api().types().all().stream()
            .sorted(Comparator.comparing(ResourceType::plural))
            .toList();
    if (form.equals("name")) {
      types.forEach(type -> session.println(type.plural() + "." + ApiClient.GROUP));
      return Exit.OK;
    }
    boolean wide = form.equals("wide");
    var headings =
        new ArrayList<>(List.of("NAME", "SHORTNAMES", "APIVERSION", "NAMESPACED", "KIND"));
    if (wide) {
      headings.add("VERBS");
    }
    var rows = new ArrayList<List<String>>();
    for (var type : types) {
      var row =
          new ArrayList<>(
              List.of(
                  type.plural(),
                  String.join(",", type.shortNames()),
                  ApiClient.GROUP + "/" + ApiClient.VERSION,
                  String.valueOf(type.namespaced()),
                  type.kind()));
      if (wide) {
        row.add(String.join(",", type.verbs()));
      }
      rows.add(row);
    }
    boolean headed = !args.matchedOptionValue("--no-headers", false);
    session.print(new TextTable(headings, session.paint()).lines(rows, headed));
    return Exit.OK;
  }
}
