package verwalter.cli;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The options of all verbs. A name means the same in every verb. */
final class Flags {
  /** Options with a value that may come before the verb. */
  static final List<String> GLOBAL_VALUES =
      List.of(
          "-s",
          "--server",
          "--certificate-authority",
          "--client-certificate",
          "--client-key",
          "--token",
          "--token-file",
          "--context",
          "--request-timeout",
          "--color",
          "-n",
          "--namespace");

  /** A command with its first line of help. */
  static CommandSpec command(String word, String summary) {
    var spec = CommandSpec.create().name("vw " + word);
    spec.usageMessage()
        .header(summary + ".", "")
        .descriptionHeading("Examples:%n")
        .synopsisHeading("%nUsage:%n  ")
        .optionListHeading("%nFlags:%n")
        .sortOptions(true)
        .width(100)
        .sectionKeys(
            List.of(
                UsageMessageSpec.SECTION_KEY_HEADER,
                UsageMessageSpec.SECTION_KEY_DESCRIPTION_HEADING,
                UsageMessageSpec.SECTION_KEY_DESCRIPTION,
                UsageMessageSpec.SECTION_KEY_SYNOPSIS_HEADING,
                UsageMessageSpec.SECTION_KEY_SYNOPSIS,
                UsageMessageSpec.SECTION_KEY_OPTION_LIST_HEADING,
                UsageMessageSpec.SECTION_KEY_OPTION_LIST));
    return spec;
  }

  /** The synopsis of a command, and its examples: an explanation, then the command line. */
  static void help(CommandSpec spec, String synopsis, String... examples) {
    spec.usageMessage().customSynopsis(synopsis).description(lines(examples));
  }

  /** All words that are not options. */
  static void arguments(CommandSpec spec) {
    spec.addPositional(
        PositionalParamSpec.builder()
            .index("0..*")
            .arity("0..*")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .paramLabel("ARG")
            .build());
  }

  static OptionSpec text(String label, String description, String... names) {
    return OptionSpec.builder(names[0], rest(names))
        .type(String.class)
        .paramLabel(label)
        .description(escape(description))
        .build();
  }

  static OptionSpec texts(String label, String description, String... names) {
    return OptionSpec.builder(names[0], rest(names))
        .type(List.class)
        .auxiliaryTypes(String.class)
        .arity("1")
        .paramLabel(label)
        .description(escape(description))
        .build();
  }

  /** A boolean option; {@code --name=false} is its default. */
  static OptionSpec flag(String description, String... names) {
    return OptionSpec.builder(names[0], rest(names))
        .type(boolean.class)
        .description(escape(description))
        .build();
  }

  static OptionSpec output() {
    return text(
        "FORM",
        "wide, name, yaml, json, jsonpath=TEMPLATE or custom-columns=HEADING:PATH,...",
        "-o",
        "--output");
  }

  static OptionSpec selector() {
    return text(
        "SELECTOR",
        "Only objects with these labels: a=b, a!=b, a in (b,c), !a",
        "-l",
        "--selector");
  }

  static OptionSpec fieldSelector() {
    return text("SELECTOR", "Only objects with these fields: spec.role=web", "--field-selector");
  }

  static OptionSpec dryRun() {
    return text(
        "WHERE", "none, or server: the server checks the request and changes nothing", "--dry-run");
  }

  static OptionSpec files() {
    return texts(
        "FILE",
        "A file, a directory of *.yaml, *.yml and *.json, or - for standard input",
        "-f",
        "--filename");
  }

  /** The options of every verb. */
  static CommandSpec global(CommandSpec spec) {
    spec.addOption(
        text(
            "URL",
            "The agent: http://HOST:PORT, https://HOST:PORT or unix:PATH; default VERWALTER_SERVER,"
                + " the context in use, the socket of the agent on this machine, or"
                + " http://127.0.0.1:8379",
            "-s",
            "--server"));
    spec.addOption(
        text(
            "FILE",
            "With https: certificates of the authorities to trust, in PEM; default"
                + " VERWALTER_CERTIFICATE_AUTHORITY, or those that Java trusts",
            "--certificate-authority"));
    spec.addOption(
        text(
            "FILE",
            "With https: your certificate, in PEM; default VERWALTER_CLIENT_CERTIFICATE",
            "--client-certificate"));
    spec.addOption(
        text(
            "FILE",
            "With https: the key of your certificate, in PEM; default VERWALTER_CLIENT_KEY",
            "--client-key"));
    spec.addOption(
        text(
            "TOKEN",
            "Your access token; default VERWALTER_TOKEN. Other users can see it in the list of"
                + " processes",
            "--token"));
    spec.addOption(
        text(
            "FILE", "A file with your access token; default VERWALTER_TOKEN_FILE", "--token-file"));
    spec.addOption(text("NAME", "The context to use; see vw help config", "--context"));
    spec.addOption(
        text(
            "TIME",
            "How long to wait for the server, such as 5s or 1m (default 30s)",
            "--request-timeout"));
    spec.addOption(text("WHEN", "Colours: auto, always or never", "--color"));
    spec.addOption(flag("Print each request to the server", "-v", "--verbose"));
    spec.addOption(flag("Print only the output", "-q", "--quiet"));
    spec.addOption(
        text("NAME", "Accepted as in kubectl; there are no namespaces", "-n", "--namespace"));
    spec.addOption(
        OptionSpec.builder("-h", "--help")
            .type(boolean.class)
            .usageHelp(true)
            .description("Show this help")
            .build());
    return spec;
  }

  private static String[] rest(String[] names) {
    var rest = new String[names.length - 1];
    System.arraycopy(names, 1, rest, 0, rest.length);
    return rest;
  }

  private static String[] lines(String[] examples) {
    var lines = new String[examples.length];
    for (int i = 0; i < examples.length; i++) {
      lines[i] = (i % 2 == 0 ? "  # " : "  ") + escape(examples[i]);
    }
    return lines;
  }

  private static String escape(String text) {
    return text.replace("%", "%%").replace("@|", "@ |").replace("${", "$${");
  }

  private Flags() {}
}
