package verwalter.cli;

import java.io.IOException;
import java.util.LinkedHashMap;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import verwalter.cli.yaml.Yaml;
import verwalter.client.json.PlainJson;

/** {@code vw version}: prints the versions of the client and the server. */
final class VersionReport implements Verb {
  /** The version of this program. A constant, since every command sends it and a file is slow. */
  static final String OWN = "0.1.0";

  @Override
  public void describe(CommandSpec spec) {
    Flags.help(spec, "vw version [flags]", "Both versions", "vw version");
    spec.addOption(Flags.flag("Print only the version of vw, without asking a server", "--client"));
    spec.addOption(Flags.text("FORM", "yaml or json", "-o", "--output"));
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    var versions = new LinkedHashMap<String, Object>();
    versions.put("clientVersion", OWN);
    if (!args.matchedOptionValue("--client", false)) {
      versions.put("serverVersion", server(session));
    }
    var form = Form.of(args.matchedOptionValue("--output", ""));
    if (form instanceof Form.Json) {
      session.println(PlainJson.pretty(versions));
    } else if (form instanceof Form.Yaml) {
      session.print(Yaml.text(versions));
    } else {
      session.println("Client Version: " + versions.get("clientVersion"));
      if (versions.containsKey("serverVersion")) {
        session.println("Server Version: " + versions.get("serverVersion"));
      }
    }
    return Exit.OK;
  }

  private static String server(Session session) throws IOException {
    var version = PlainJson.text(session.api().read("/version"), "gitVersion");
    return version.startsWith("v") ? version.substring(1) : version;
  }
}
