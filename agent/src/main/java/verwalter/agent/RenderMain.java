package verwalter.agent;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import verwalter.controllers.template.DryTemplates;
import verwalter.deploymentlog.Deployment;
import verwalter.deploymentlog.DeploymentLog;
import verwalter.deploymentlog.Retention;
import verwalter.files.FileAccess;
import verwalter.model.json.DecodeException;
import verwalter.model.json.Json;
import verwalter.render.LogPiece;
import verwalter.render.RenderFailed;
import verwalter.render.RenderProblem;
import verwalter.render.apply.Application;
import verwalter.render.apply.ApplyFailed;
import verwalter.render.apply.LocalPrograms;
import verwalter.render.apply.ProcessFiles;
import verwalter.render.apply.Programs;
import verwalter.render.recipe.Rendered;
import verwalter.render.recipe.Renderer;

/** The command line of {@code verwalter_render}: one role, rendered once, without an agent. */
@Command(
    name = "verwalter_render",
    sortOptions = false,
    description = {
      "Renders the templates of one role with the variables given, as the agent does.",
      "With --check-dir nothing is written or run: it prints what would be."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:Rendered, and applied if requested.",
      "2:The command line, or JSON in it, is invalid.",
      "3:Variables, schedule or sandbox are missing or invalid.",
      "4:The variables name no template.",
      "5:The variables are for another version of this program.",
      "10:A template or recipe is invalid; standard error has file, line and column.",
      "20:A command failed; files were restored.",
      "81:Everything was applied, but could not be logged."
    },
    footer = {
      "",
      "For example: verwalter_render --check-dir templates/web '{\"role\": \"web\", \"port\": 80}'"
    })
public final class RenderMain implements Callable<Integer> {
  private static final String CHECKED = "dry-run-dep-id-dead-beef";
  private static final String THIS = "v" + BuildVersion.NUMBER;

  /** The time limit of a recipe's command, as in the agent. */
  private static final Duration COMMAND_LIMIT = Duration.ofMinutes(3);

  private static final Retention FOR_EVER = new Retention(Duration.ofDays(365_000), Long.MAX_VALUE);

  @Parameters(
      arity = "0..1",
      paramLabel = "VARS",
      description = "Variables, a JSON object; role must be among them.")
  private Optional<String> variables = Optional.empty();

  @Option(
      names = "--vars-file",
      paramLabel = "FILE",
      description = "File with the variables; takes precedence over VARS.")
  private Optional<Path> variablesFile = Optional.empty();

  @Option(
      names = "--schedule",
      paramLabel = "JSON",
      description = "What templates see as full_schedule; null.")
  private Optional<String> schedule = Optional.empty();

  @Option(
      names = "--schedule-file",
      paramLabel = "FILE",
      description = "The same from a file; takes precedence.")
  private Optional<Path> scheduleFile = Optional.empty();

  @Option(
      names = {"-C", "--check", "--check-dir"},
      paramLabel = "DIR",
      description =
          "Render this template directory and print the result. Needs no variables but role and"
              + " what the templates use.")
  private Optional<Path> checkDir = Optional.empty();

  @Option(
      names = "--dry-run",
      description = "Print what would be written and run instead of doing it.")
  private boolean dryRun;

  @Option(
      names = "--log-dir",
      paramLabel = "DIR",
      defaultValue = "/var/log/verwalter",
      description = "Logs of deployments; ${DEFAULT-VALUE}.")
  private Path logDir = Path.of("/var/log/verwalter");

  @Option(
      names = "--config-dir",
      paramLabel = "DIR",
      defaultValue = "/etc/verwalter",
      description = "Configuration root; ${DEFAULT-VALUE}.")
  private Path configDir = Path.of("/etc/verwalter");

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this and end.")
  boolean help;

  private final PrintStream out;
  private final PrintStream err;

  /** The request of the command line cannot be fulfilled. */
  private static final class Refused extends Exception {
    private static final long serialVersionUID = 1;
    private final RenderExit exit;

    Refused(RenderExit exit, String message) {
      super(message, null, false, false);
      this.exit = exit;
    }
  }

  private RenderMain(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** Renders and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(commandLine(System.out, System.err).execute(arguments));
  }

  /** Creates the command line with these outputs. */
  public static CommandLine commandLine(PrintStream out, PrintStream err) {
    return new CommandLine(new RenderMain(out, err));
  }

  @Override
  public Integer call() throws IOException {
    try {
      return run().code();
    } catch (Refused refused) {
      String.valueOf(refused.getMessage()).lines().forEach(err::println);
      return refused.exit.code();
    }
  }

  private RenderExit run() throws Refused, IOException {
    var given = json("VARS", variables, RenderExit.USAGE);
    var whole = json("--schedule", schedule, RenderExit.USAGE);
    if (variablesFile.isPresent()) {
      given = file("--vars-file", variablesFile.get());
    }
    if (!(given instanceof Map<?, ?>)) {
      throw new Refused(
          RenderExit.ARGUMENTS,
          "variables are a JSON object, such as '{\"role\": \"web\"}'; give VARS or --vars-file");
    }
    var all = new LinkedHashMap<>(Json.object(given));
    var template = checkDir.isPresent() ? checkDir.get() : template(all);
    if (!(all.get("role") instanceof String role)) {
      throw new Refused(RenderExit.ARGUMENTS, "the variables have no text named role");
    }
    if (scheduleFile.isPresent()) {
      whole = file("--schedule-file", scheduleFile.get());
    }
    complete(all, whole);
    var rendered = render(template, role, all);
    if (dryRun || checkDir.isPresent()) {
      out.print(DryTemplates.text(role, rendered));
      out.flush();
      return RenderExit.OK;
    }
    return apply(rendered, role, all, whole);
  }

  private static @Nullable Object json(String what, Optional<String> text, RenderExit otherwise)
      throws Refused {
    try {
      return text.isPresent() ? Json.parse(text.get(), what) : null;
    } catch (DecodeException malformed) {
      throw new Refused(otherwise, what + " is not JSON: " + malformed.getMessage());
    }
  }

  private static @Nullable Object file(String flag, Path file) throws Refused {
    try {
      return json(flag + " " + file, Optional.of(Files.readString(file)), RenderExit.ARGUMENTS);
    } catch (IOException unreadable) {
      throw new Refused(RenderExit.ARGUMENTS, "%s cannot be read: %s".formatted(flag, unreadable));
    }
  }

  /** Checks the arguments in the order of verwalter 0.13. */
  private Path template(Map<String, Object> all) throws Refused {
    if (!(all.get("deployment_id") instanceof String)) {
      throw new Refused(RenderExit.ARGUMENTS, "the variables have no text named deployment_id");
    }
    if (!(all.get("template") instanceof String template)) {
      throw new Refused(RenderExit.NO_TEMPLATE, "the variables have no text named template");
    }
    if (!(all.get("verwalter_version") instanceof String version)) {
      throw new Refused(RenderExit.ARGUMENTS, "the variables have no text named verwalter_version");
    }
    if (!version.equals(THIS)) {
      throw new Refused(
          RenderExit.VERSION, "the variables are for %s, this is %s".formatted(version, THIS));
    }
    var sandbox = configDir.resolve("sandbox");
    if (!Files.isDirectory(sandbox) || !Files.isReadable(sandbox)) {
      throw new Refused(RenderExit.ARGUMENTS, sandbox + " is not a directory that can be read");
    }
    var templates = configDir.resolve("templates").toAbsolutePath().normalize();
    var directory = templates.resolve(template).normalize();
    if (!directory.startsWith(templates) || directory.equals(templates)) {
      throw new Refused(
          RenderExit.RENDER, "template %s is not below %s".formatted(template, templates));
    }
    return directory;
  }

  /** Adds the variables that the agent sets, unless they are given. */
  private static void complete(Map<String, Object> all, @Nullable Object whole) {
    all.putIfAbsent("deployment_id", CHECKED);
    all.putIfAbsent("verwalter_version", THIS);
    all.putIfAbsent("timestamp", Instant.now().toString());
    all.putIfAbsent("node", MachineFacts.hostname());
    all.put("full_schedule", whole);
  }

  private Rendered render(Path template, String role, Map<String, Object> all) throws Refused {
    try {
      return new Renderer(configDir.toAbsolutePath()).render(template, role, all);
    } catch (RenderFailed failure) {
      var lines = new ArrayList<String>();
      for (var problem : failure.problems()) {
        lines.add(located(template, problem));
      }
      throw new Refused(RenderExit.RENDER, String.join("\n", lines));
    }
  }

  /** Makes the path relative to the working directory, so that editors can open it. */
  private static String located(Path template, RenderProblem problem) {
    var file = template.resolve(problem.file()).toString();
    return new RenderProblem(file, problem.line(), problem.column(), problem.text()).toString();
  }

  private RenderExit apply(
      Rendered rendered, String role, Map<String, Object> all, @Nullable Object whole)
      throws Refused, IOException {
    var problems = new ArrayList<String>();
    var log = DeploymentLog.in(logDir, FileAccess.PRIVATE, Instant::now, FOR_EVER, problems::add);
    var hash = whole == null ? "" : Json.hash(whole);
    var deployment =
        new Deployment(String.valueOf(all.get("deployment_id")), hash, false, List.of());
    var shown = new LinkedHashMap<>(all);
    shown.remove("full_schedule");
    log.beginRole(deployment, role, shown);
    var state = Files.createTempDirectory("verwalter-render");
    var pieces = List.of(LogPiece.ofRun("ERROR: failed unexpectedly\n"));
    try {
      var applied = application(state).apply(rendered, List.of());
      pieces = LogPiece.and(applied.pieces(), "Rendered successfully\n");
      out.print(LogPiece.text(pieces));
    } catch (ApplyFailed failure) {
      pieces =
          LogPiece.and(
              failure.pieces(), "ERROR: Can't apply templates: " + failure.getMessage() + "\n");
      throw new Refused(RenderExit.COMMANDS, String.valueOf(failure.getMessage()));
    } finally {
      log.endRole(deployment, role, pieces);
      log.end(deployment, "");
      problems.forEach(err::println);
      Example.removeTree(state);
    }
    return problems.isEmpty() ? RenderExit.OK : RenderExit.LOG;
  }

  private static Application application(Path state) {
    Programs programs = new LocalPrograms(System.getenv(), COMMAND_LIMIT, System::nanoTime);
    ProcessFiles none =
        (sandbox, text, source) -> {
          throw new ProcessFiles.Refused(
              "there is no supervisor here; only the agent switches processes");
        };
    return new Application(state, programs, none);
  }
}
