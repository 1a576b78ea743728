package verwalter.supervisor.embedded;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;
import verwalter.model.ProcessGroup.Exit;
import verwalter.supervisor.program.LoaderVariables;
import verwalter.supervisor.program.Program;
import verwalter.supervisor.program.ShellText;
import verwalter.supervisor.program.Terms;

/**
 * The text of a launch file: a comment that describes the run for the supervisor, and the shell
 * code. They are in one file, so that there is never one without the other.
 */
final class RunText {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  static String write(Run run, Program program, ProcessShim shim, String mark) {
    var text = new StringBuilder(note(run));
    text.append("vw_log=").append(ShellText.quoted(run.log().toString())).append('\n');
    text.append("vw_program() {\n");
    // First of all, so that the program and all that it starts are in them.
    run.confinement().groups().forEach(group -> text.append(entering(group)));
    text.append("  umask ").append(program.umask().orElse(shim.umask())).append('\n');
    text.append("  cd ")
        .append(ShellText.quoted(program.workdir().toString()))
        .append(" || exit 126\n");
    text.append("  ulimit -n ").append(program.fileLimit()).append(" || exit 126\n");
    // The shell's own additions to the environment.
    text.append("  unset PWD OLDPWD SHLVL TERM\n");
    LoaderVariables.before(program.launcher(), program.environ())
        .forEach(
            (name, value) ->
                text.append("  export ")
                    .append(name)
                    .append('=')
                    .append(ShellText.quoted(value))
                    .append('\n'));
    text.append("  export ")
        .append(RunDirectory.MARK)
        .append('=')
        .append(ShellText.quoted(mark))
        .append('\n');
    program
        .pidVariables()
        .forEach(name -> text.append("  export ").append(name).append("=\"$1\"\n"));
    text.append("  exec ").append(ShellText.quoted(shim.setsid().toString()));
    program.launcher().forEach(each -> text.append(' ').append(ShellText.quoted(each)));
    LoaderVariables.behind(program.launcher(), program.environ())
        .forEach(each -> text.append(' ').append(ShellText.quoted(each)));
    text.append(' ').append(ShellText.quoted(program.executable().toString()));
    program.arguments().forEach(each -> text.append(' ').append(ShellText.quoted(each)));
    return text.append("\n}\n").toString();
  }

  private static String entering(Path group) {
    return "  { echo 0 >%s; } 2>/dev/null || echo %s%n"
        .formatted(
            ShellText.quoted(group.resolve("cgroup.procs").toString()),
            ShellText.quoted("The cgroup %s cannot be entered".formatted(group)));
  }

  /** The comment that describes a run, without code to start it. */
  static String note(Run run) {
    return "# " + record(run) + "\n";
  }

  private static String record(Run run) {
    var tree = MAPPER.createObjectNode();
    tree.put("id", run.id());
    tree.put("slot", run.slot());
    tree.put("identity", run.identity());
    run.restartCounter().ifPresent(counter -> tree.put("restartCounter", counter));
    tree.put("image", run.image());
    tree.put("log", run.log().toString());
    tree.put("started", run.started().toString());
    tree.put("boot", run.boot());
    tree.put("restartTimeout", run.terms().restartTimeout());
    tree.put("killTimeout", run.terms().killTimeout());
    var codes = tree.putArray("normalExitCodes");
    run.terms().normalExitCodes().forEach(codes::add);
    tree.put("zeroIsNormal", run.terms().zeroIsNormal());
    if (run.terms().stopDelay() > 0) {
      tree.put("stopDelay", run.terms().stopDelay());
    }
    tree.put("stopSignal", run.terms().stopSignal());
    if (!run.terms().stopsBefore().isEmpty()) {
      var others = tree.putArray("stopsBefore");
      run.terms().stopsBefore().forEach(others::add);
    }
    if (run.terms().byTime()) {
      tree.put("cron", run.terms().cron());
      tree.put("limit", run.terms().limit());
    }
    var groups = tree.putArray("cgroups");
    run.confinement().groups().forEach(group -> groups.add(group.toString()));
    run.confinement().memory().ifPresent(bytes -> tree.put("memory", bytes));
    tree.put("unenforced", run.confinement().unenforced());
    tree.put("starts", run.before().starts());
    tree.put("replacements", run.before().replacements());
    tree.put("requested", run.before().requested());
    tree.put("earlyExits", run.before().earlyExits());
    run.before()
        .lastExit()
        .ifPresent(
            exit -> {
              var last = tree.putObject("lastExit");
              exit.code().ifPresent(code -> last.put("code", code));
              exit.signal().ifPresent(signal -> last.put("signal", signal));
              last.put("at", exit.at().toString());
              last.put("failure", exit.failure());
              exit.message().ifPresent(message -> last.put("message", message));
            });
    try {
      return MAPPER.writeValueAsString(tree);
    } catch (JsonProcessingException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /**
   * Parses the run of a launch file.
   *
   * @throws IOException if it is not a launch file
   */
  static Run read(String text) throws IOException {
    int end = text.indexOf('\n');
    if (!text.startsWith("# {") || end < 0) {
      throw new IOException("not a launch file");
    }
    try {
      return run(MAPPER.readTree(text.substring(2, end)));
    } catch (JsonProcessingException | RuntimeException odd) {
      throw new IOException("not a launch file: " + odd.getMessage(), odd);
    }
  }

  private static Run run(JsonNode tree) {
    var codes = new ArrayList<Integer>();
    tree.path("normalExitCodes").forEach(code -> codes.add(code.asInt()));
    var others = new ArrayList<String>();
    tree.path("stopsBefore").forEach(name -> others.add(name.asText()));
    return new Run(
        tree.required("id").asText(),
        tree.required("slot").asText(),
        tree.required("identity").asText(),
        tree.has("restartCounter")
            ? Optional.of(tree.get("restartCounter").asLong())
            : Optional.empty(),
        tree.required("image").asText(),
        new Terms(
            tree.required("restartTimeout").asInt(),
            tree.required("killTimeout").asInt(),
            codes,
            tree.required("zeroIsNormal").asBoolean(),
            tree.path("stopDelay").asInt(0),
            tree.path("stopSignal").asText("SIGTERM"),
            others,
            tree.path("cron").asText(""),
            tree.path("limit").asLong(0)),
        Path.of(tree.required("log").asText()),
        Instant.parse(tree.required("started").asText()),
        new History(
            tree.required("starts").asLong(),
            // Version 0.1.0 did not write these.
            tree.path("replacements").asLong(0),
            tree.path("requested").asBoolean(false),
            tree.required("earlyExits").asInt(),
            tree.has("lastExit") ? Optional.of(exit(tree.get("lastExit"))) : Optional.empty(),
            ""),
        tree.required("boot").asText(),
        confinement(tree));
  }

  /** Versions until 0.1.0 had no cgroups. */
  private static Confinement confinement(JsonNode tree) {
    var groups = new ArrayList<Path>();
    tree.path("cgroups").forEach(group -> groups.add(Path.of(group.asText())));
    return new Confinement(
        groups,
        tree.has("memory") ? Optional.of(tree.get("memory").asLong()) : Optional.empty(),
        tree.path("unenforced").asText(""));
  }

  private static Exit exit(JsonNode tree) {
    return new Exit(
        tree.has("code") ? Optional.of(tree.get("code").asInt()) : Optional.empty(),
        tree.has("signal") ? Optional.of(tree.get("signal").asInt()) : Optional.empty(),
        Instant.parse(tree.required("at").asText()),
        tree.required("failure").asBoolean(),
        tree.has("message") ? Optional.of(tree.get("message").asText()) : Optional.empty());
  }

  private RunText() {}
}
