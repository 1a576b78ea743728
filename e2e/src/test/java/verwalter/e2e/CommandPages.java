package verwalter.e2e;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import verwalter.agent.Alarm;
import verwalter.agent.Main;
import verwalter.agent.RenderMain;
import verwalter.cli.Manual;

/** The reference pages of the programs, generated from the same data as {@code --help}. */
final class CommandPages {
  private static final List<String> FLAG = List.of("Flag", "Meaning");

  /** All verbs of {@code vw}. */
  static String vw() {
    var page = Markdown.page("vw", "the help of the program");
    var verbs = Manual.verbs();
    page.paragraph(
        "`./vw VERB [flags]` looks at a cluster and changes it, over HTTP. The same text is in the"
            + " program: `vw help`, `vw help VERB`. [What it exits with](exit-codes.md#vw).");
    page.table(
        List.of("Verb", "What it does"),
        verbs.stream()
            .map(
                verb ->
                    List.of(
                        "[`%s`](#%s)".formatted(word(verb), verb.name().replace(' ', '-')),
                        header(verb)))
            .toList());
    var common = common(verbs);
    page.heading(2, "Flags of every verb");
    page.table(FLAG, flags(verbs.get(0), common));
    for (var verb : verbs) {
      page.heading(2, verb.name());
      page.paragraph(header(verb));
      page.code("", List.of(verb.usageMessage().customSynopsis()));
      page.table(FLAG, flags(verb, common.negate()));
      page.table(List.of("For example", "Type"), examples(verb));
    }
    return page.toString();
  }

  /** The agent and its subcommands. */
  static String agent() {
    var line = Main.commandLine();
    var page = Markdown.page("The agent", "the help of the program");
    page.paragraph(
        "`./verwalter [flags]` is the daemon, one for each machine. The same text is in the"
            + " program: `./verwalter --help`. [What it exits with](exit-codes.md#the-agent).");
    command(page, line.getCommandSpec(), 2);
    command(page, renderer(), 2);
    page.heading(2, "Environment");
    page.table(
        List.of("Variable", "Meaning"),
        List.of(
            List.of(
                "`VERWALTER_LOG`",
                "Levels of the agent's own log, such as `info` or"
                    + " `warn,verwalter.controllers=debug`"),
            List.of(
                "`XDG_CONFIG_HOME`, `XDG_STATE_HOME`",
                "Take the place of `~/.config` and `~/.local/state` for an ordinary user")));
    return page.toString();
  }

  private static CommandSpec renderer() {
    return RenderMain.commandLine(System.out, System.err).getCommandSpec();
  }

  /** The exit codes of all programs. */
  static String exitCodes() {
    var page = Markdown.page("Exit codes", "the programs");
    page.heading(2, "vw");
    page.table(List.of("Code", "Meaning"), codes(Manual.exitCodes()));
    page.heading(2, "The agent");
    page.table(List.of("Code", "Meaning"), codes(Main.commandLine().getCommandSpec()));
    page.paragraph(
        "It is stuck, and ends with 91, when one of these takes longer than it ever should:");
    page.table(List.of("Alarm", "Limit", "Guards"), alarms());
    page.heading(2, "verwalter_render");
    page.table(List.of("Code", "Meaning"), codes(renderer()));
    return page.toString();
  }

  private static List<List<String>> alarms() {
    return Arrays.stream(Alarm.values())
        .map(
            alarm ->
                List.of(
                    Markdown.code(alarm.title()),
                    alarm.limit().toSeconds() + " s",
                    alarm.guarded()))
        .toList();
  }

  private static List<List<String>> codes(CommandSpec spec) {
    var codes = new TreeMap<Integer, String>();
    spec.usageMessage()
        .exitCodeList()
        .forEach((code, meaning) -> codes.put(Integer.valueOf(code), meaning));
    return codes(codes);
  }

  private static List<List<String>> codes(SortedMap<Integer, String> codes) {
    return codes.entrySet().stream()
        .map(code -> List.of(code.getKey().toString(), code.getValue()))
        .toList();
  }

  private static void command(Markdown page, CommandSpec spec, int level) {
    page.heading(level, spec.qualifiedName());
    page.paragraph(String.join(" ", spec.usageMessage().description()));
    page.table(FLAG, flags(spec, any -> true));
    new TreeMap<>(spec.subcommands())
        .forEach(
            (name, sub) -> {
              if (!sub.getCommandSpec().usageMessage().hidden()) {
                command(page, sub.getCommandSpec(), level);
              }
            });
  }

  /** The flags that all verbs have in common. */
  private static Predicate<OptionSpec> common(List<CommandSpec> verbs) {
    return option ->
        verbs.stream()
            .allMatch(
                verb ->
                    verb.options().stream()
                        .anyMatch(
                            other ->
                                Arrays.equals(other.names(), option.names())
                                    && text(other).equals(text(option))));
  }

  private static List<List<String>> flags(CommandSpec spec, Predicate<OptionSpec> wanted) {
    return spec.options().stream()
        .filter(option -> !option.hidden() && wanted.test(option))
        .sorted(Comparator.comparing(OptionSpec::longestName))
        .map(option -> List.of(names(option), text(option)))
        .toList();
  }

  private static String names(OptionSpec option) {
    boolean valued = option.arity().max() > 0;
    return Arrays.stream(option.names())
        .map(
            name ->
                !valued
                    ? name
                    : name.startsWith("--")
                        ? name + "=" + option.paramLabel()
                        : name + " " + option.paramLabel())
        .map(Markdown::code)
        .collect(Collectors.joining(", "));
  }

  private static String text(OptionSpec option) {
    var text =
        Arrays.stream(option.description())
            .map(
                line ->
                    line.replace("${DEFAULT-VALUE}", "`" + option.defaultValue() + "`")
                        .replace("%%", "%")
                        .replace("$${", "${"))
            .collect(Collectors.joining(" "));
    return text.replace("<", "&lt;");
  }

  private static String word(CommandSpec verb) {
    return verb.name().substring(verb.name().indexOf(' ') + 1);
  }

  private static String header(CommandSpec verb) {
    return verb.usageMessage().header()[0];
  }

  /** Lines that begin with a number sign describe the command on the next line. */
  private static List<List<String>> examples(CommandSpec verb) {
    var rows = new ArrayList<List<String>>();
    var lines = verb.usageMessage().description();
    for (int i = 0; i + 1 < lines.length; i += 2) {
      var what = lines[i].strip().replaceFirst("^# ", "");
      var command = lines[i + 1].strip().replace("%%", "%").replace("$${", "${");
      rows.add(List.of(what, Markdown.code(command)));
    }
    return rows;
  }

  private CommandPages() {}
}
