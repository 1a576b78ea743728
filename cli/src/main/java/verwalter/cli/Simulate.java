package verwalter.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import verwalter.cli.print.TextTable;
import verwalter.client.json.PlainJson;
import verwalter.model.json.Json;
import verwalter.scheduler.lua.Code;
import verwalter.scheduler.simulation.Cluster;
import verwalter.scheduler.simulation.Fault;
import verwalter.scheduler.simulation.Load;
import verwalter.scheduler.simulation.Simulation;
import verwalter.scheduler.simulation.Step;

/** {@code vw simulate}: runs a scheduler over virtual time, on a recorded or generated cluster. */
final class Simulate implements Verb {
  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw simulate [DIR] [flags]",
        "The agent's scheduler on its cluster, for ten steps",
        "vw simulate",
        "Your own scheduler on a generated cluster, without an agent",
        "vw simulate ./scheduler/v1 --nodes 50 --roles 10 --steps 100",
        "A node fails at step 3 and is back at step 7",
        "vw simulate ./scheduler/v1 --nodes 5 --roles 3 --fault n2@3-7",
        "The metric web.load goes from 10 to 200 and back in 60 steps",
        "vw simulate ./scheduler/v1 --nodes 5 --roles web,api --load web=sine:10:200:60");
    spec.addOption(
        Flags.text("REF", "The recorded decision to begin with (default latest)", "--from"));
    spec.addOption(
        Flags.text(
            "NUMBER", "This many nodes, n1, n2 ..., instead of the recorded ones", "--nodes"));
    spec.addOption(
        Flags.text(
            "NUMBER|NAMES",
            "This many roles, or the named ones: a,b; recorded, else generated",
            "--roles"));
    spec.addOption(Flags.text("FILE", "The roles of input.runtime, as YAML or JSON", "--metadata"));
    spec.addOption(Flags.text("NUMBER", "The number of runs (default 10)", "--steps"));
    spec.addOption(
        Flags.text("TIME", "The virtual time between two runs (default 5s)", "--interval"));
    spec.addOption(
        Flags.texts(
            "NODE@STEP[-STEP]", "A node fails at a step, and is back at another", "--fault"));
    spec.addOption(Flags.texts("ROLE=sine:MIN:MAX:PERIOD", "A metric ROLE.load", "--load"));
    spec.addOption(Flags.text("NUMBER", "The seed of generated values (default 1)", "--seed"));
    spec.addOption(Flags.text("FORM", "json: one line for each step", "-o", "--output"));
    Flags.arguments(spec);
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    List<String> words = args.matchedPositionalValue(0, List.of());
    if (words.size() > 1) {
      throw Failure.usage("simulate takes one directory", "vw help simulate");
    }
    int steps = DecisionCommands.number(args, "--steps", 10);
    var form = DecisionCommands.form(args, "json");
    var faults = each(args, "--fault", Fault::of);
    var loads = each(args, "--load", Load::of);
    var interval = Session.duration("--interval", args.matchedOptionValue("--interval", "5s"));
    var beginning = beginning(args, words, session);
    unknown(faults, beginning);
    try (var scheduler = Interpreter.load(code(args, words, session))) {
      var simulation =
          new Simulation(
              scheduler, beginning, faults, loads, interval, session.environment().clock());
      return new Report(session, form.equals("json")).print(simulation, steps);
    }
  }

  private static <V> List<V> each(ParseResult args, String option, Function<String, V> reading) {
    List<String> texts = args.matchedOptionValue(option, List.of());
    try {
      return texts.stream().map(reading).toList();
    } catch (IllegalArgumentException e) {
      throw Failure.usage(String.valueOf(e.getMessage()), "vw help simulate");
    }
  }

  /** Refuses faults of unknown nodes, which would have no effect. */
  private static void unknown(List<Fault> faults, Map<String, Object> beginning) {
    var nodes = Json.object(beginning.get("nodes"));
    for (var fault : faults) {
      if (!nodes.containsKey(fault.node())) {
        throw Failure.usage(
            "--fault names the unknown node \"%s\"".formatted(fault.node()),
            "the nodes are: " + String.join(", ", nodes.keySet().stream().limit(10).toList()));
      }
    }
  }

  private static Code code(ParseResult args, List<String> words, Session session)
      throws IOException {
    return words.isEmpty()
        ? new Archive(session).code(args.matchedOptionValue("--from", "latest"))
        : Shadow.code(words.get(0));
  }

  /** The initial input. The server is asked only if the options do not define everything. */
  private static Map<String, Object> beginning(
      ParseResult args, List<String> words, Session session) throws IOException {
    boolean nodes = args.hasMatchedOption("--nodes");
    boolean roles = args.hasMatchedOption("--roles") || args.hasMatchedOption("--metadata");
    boolean alone = !words.isEmpty() && nodes && roles && !args.hasMatchedOption("--from");
    var input =
        alone
            ? Cluster.empty()
            : new Archive(session).read(args.matchedOptionValue("--from", "latest")).input();
    long seed = DecisionCommands.number(args, "--seed", 1);
    var metadata = args.matchedOptionValue("--metadata", (String) null);
    if (metadata != null) {
      input = new LinkedHashMap<>(input);
      input.put("runtime", metadata(metadata));
    }
    if (args.hasMatchedOption("--roles")) {
      var wanted = args.matchedOptionValue("--roles", "");
      input =
          wanted.matches("\\d+")
              ? Cluster.withRoles(input, DecisionCommands.number(args, "--roles", 1), seed)
              : Cluster.withRoles(input, List.of(wanted.split(",")), seed);
    }
    return nodes
        ? Cluster.withNodes(input, DecisionCommands.number(args, "--nodes", 1), seed)
        : input;
  }

  private static Map<String, Object> metadata(String file) throws IOException {
    var path = Path.of(file);
    if (!Files.isRegularFile(path)) {
      throw Failure.error("no such file: " + file, "");
    }
    try {
      return Json.object(plain(Files.readString(path), file));
    } catch (verwalter.model.json.DecodeException e) {
      throw Failure.error(String.valueOf(e.getMessage()), "");
    }
  }

  private static @Nullable Object plain(String text, String file)
      throws verwalter.model.json.DecodeException {
    return file.endsWith(".json")
        ? Json.parse(text, file)
        : verwalter.model.codec.RuntimeYaml.parse(text, file);
  }

  /** Prints each step, then a summary. */
  private static final class Report {
    private static final List<String> HEADINGS =
        List.of(
            "STEP", "NODES", "INSTANCES", "MOVES", "MAX/MEAN", "DEVIATION", "INSTRUCTIONS", "TIME");
    private static final int[] WIDTHS = {4, 5, 9, 6, 8, 9, 12, 8};

    private final Session session;
    private final boolean json;
    private final List<Step> steps = new ArrayList<>();

    Report(Session session, boolean json) {
      this.session = session;
      this.json = json;
    }

    Exit print(Simulation simulation, int count) {
      if (!json) {
        row(HEADINGS);
      }
      for (int i = 0; i < count && !session.unread(); i++) {
        var step = simulation.step();
        steps.add(step);
        if (json) {
          session.println(PlainJson.line(tree(step)));
        } else {
          row(cells(step));
          if (step.failed()) {
            session.println("     failed: " + TextTable.clean(step.problem()));
          }
        }
      }
      if (!json) {
        summary(simulation);
      }
      return steps.stream().anyMatch(Step::failed) ? Exit.ERROR : Exit.OK;
    }

    private void row(List<String> cells) {
      var line = new StringBuilder();
      for (int i = 0; i < cells.size(); i++) {
        line.append(i == 0 ? "" : "  ")
            .append(" ".repeat(Math.max(0, WIDTHS[i] - cells.get(i).length())))
            .append(cells.get(i));
      }
      session.println(line.toString());
    }

    private static List<String> cells(Step step) {
      return List.of(
          "" + step.number(),
          "" + step.nodes(),
          "" + step.instances(),
          "" + step.moves(),
          decimal(step.imbalance()),
          decimal(step.deviation()),
          "" + step.instructions(),
          millis(step.took()));
    }

    private static String decimal(double number) {
      return String.format(Locale.ROOT, "%.2f", number);
    }

    private static String millis(Duration time) {
      return String.format(Locale.ROOT, "%.1fms", time.toNanos() / 1e6);
    }

    private void summary(Simulation simulation) {
      var sorted = steps.stream().map(Step::took).sorted().toList();
      long failed = steps.stream().filter(Step::failed).count();
      session.println(
          "\n%d steps, %d failed; %d moves, at most %d in a step"
              .formatted(
                  steps.size(),
                  failed,
                  steps.stream().mapToLong(Step::moves).sum(),
                  steps.stream().mapToLong(Step::moves).max().orElse(0)));
      session.println(
          "imbalance %s on average, %s at worst; %d instructions at most"
              .formatted(
                  decimal(steps.stream().mapToDouble(Step::imbalance).average().orElse(0)),
                  decimal(steps.stream().mapToDouble(Step::imbalance).max().orElse(0)),
                  steps.stream().mapToLong(Step::instructions).max().orElse(0)));
      session.println("last schedule %s".formatted(Json.hash(simulation.schedule())));
      if (!sorted.isEmpty()) {
        session.println(
            "time of a run: half within %s, 99 of 100 within %s"
                .formatted(
                    millis(sorted.get((sorted.size() + 1) / 2 - 1)),
                    millis(sorted.get((sorted.size() * 99 + 99) / 100 - 1))));
      }
    }

    private static Map<String, Object> tree(Step step) {
      var tree = new LinkedHashMap<String, Object>();
      tree.put("step", (long) step.number());
      tree.put("nodes", (long) step.nodes());
      tree.put("instances", step.instances());
      tree.put("moves", step.moves());
      tree.put("imbalance", step.imbalance());
      tree.put("deviation", step.deviation());
      tree.put("instructions", step.instructions());
      tree.put("took_us", step.took().toNanos() / 1_000);
      if (step.failed()) {
        tree.put("problem", step.problem());
      }
      return tree;
    }
  }
}
