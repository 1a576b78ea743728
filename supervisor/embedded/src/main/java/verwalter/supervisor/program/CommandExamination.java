package verwalter.supervisor.program;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import verwalter.model.ProcessSpec;
import verwalter.model.ProcessSpec.Command;

/** Validates processes that have a command, and collects their problems. */
public final class CommandExamination {
  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private static final Pattern SECRET = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}");

  /** The minimum number of seconds between two starts. */
  private static final int RESTART_TIMEOUT = 1;

  private static final List<String> SIGNALS =
      List.of("SIGTERM", "SIGINT", "SIGQUIT", "SIGHUP", "SIGUSR1", "SIGUSR2");
  private static final Pattern UMASK = Pattern.compile("0?[0-7]{3}");
  private static final long LEAST_MEMORY = 1 << 20;
  private static final long MOST_CPU = 1024 * 1000;

  private static final int OPEN_FILES = 1024;
  private static final long ROOT = 0;
  private static final String PATH = "PATH";
  private static final String STANDARD_PATH =
      "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  private final Host host;
  private final String group;
  private final String process;
  private final ProcessSpec spec;
  private final Command command;
  private final List<String> problems = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  /**
   * @param process name of the processes in their group
   * @param spec the spec with the command
   */
  public CommandExamination(
      Host host, String group, String process, ProcessSpec spec, Command command) {
    this.host = host;
    this.group = group;
    this.process = process;
    this.spec = spec;
    this.command = command;
  }

  /** The problems of the command, and the programs to start if there are none. */
  public Examined result() {
    if (!host.commands()) {
      return new Examined(
          List.of("commands are switched off: this supervisor runs images only"),
          List.of(),
          List.of());
    }
    checkUser();
    checkStop();
    spec.cron().ifPresent(this::checkTimes);
    checkEnvironment();
    checkSecrets();
    warnAboutTheIgnored();
    var directory = directory(command.directory().orElse("/"));
    var executable = executable(command.arguments().get(0), directory);
    if (host.strict()) {
      problems.addAll(warnings);
    }
    if (!problems.isEmpty() || executable == null || directory == null) {
      return new Examined(problems, warnings, List.of());
    }
    var programs = new ArrayList<Program>();
    for (int i = 0; i < spec.slots(); i++) {
      programs.add(program(i, executable, directory));
    }
    return new Examined(problems, warnings, programs);
  }

  /** A program for another user must not run with the rights of the agent's user. */
  private void checkUser() {
    if (host.user() == ROOT) {
      if (host.setpriv().isEmpty() && !Launcher.isOwn(host, command)) {
        problems.add("there is no program setpriv, which changes the user; install util-linux");
      }
      return;
    }
    command
        .user()
        .filter(id -> id != host.user())
        .ifPresent(id -> problems.add(cannotBe("user", id, host.user())));
    command.groups().stream()
        .filter(id -> id != host.group())
        .forEach(id -> problems.add(cannotBe("group", id, host.group())));
  }

  private static String cannotBe(String what, long asked, long is) {
    return "%s %d: this supervisor runs programs as %s %d and cannot switch; run the agent as root"
        .formatted(what, asked, what, is);
  }

  private void checkStop() {
    var stop = command.stopping();
    if (!SIGNALS.contains(stop.signal())) {
      problems.add(
          "stop signal %s: only %s are supported"
              .formatted(stop.signal(), String.join(", ", SIGNALS)));
    }
    command
        .umask()
        .filter(mask -> !UMASK.matcher(mask).matches())
        .ifPresent(mask -> problems.add("umask %s is not three octal digits".formatted(mask)));
    checkLimits();
    if (stop.seconds() < 0 || stop.seconds() > 86_400) {
      problems.add("stop seconds must be between 0 and 86400, not " + stop.seconds());
    }
    if (stop.delaySeconds() < 0 || stop.delaySeconds() > 3_600) {
      problems.add("stop delay must be between 0 and 3600 seconds, not " + stop.delaySeconds());
    }
  }

  private void checkTimes(ProcessSpec.Cron cron) {
    try {
      cron.times();
    } catch (IllegalArgumentException wrong) {
      problems.add(String.valueOf(wrong.getMessage()));
    }
    if (cron.limitSeconds() < 1) {
      problems.add("the time limit must be at least a second");
    }
  }

  private void checkLimits() {
    var limits = command.limits();
    limits
        .memory()
        .filter(bytes -> bytes < LEAST_MEMORY)
        .ifPresent(bytes -> problems.add("the memory limit %d is below 1 MiB".formatted(bytes)));
    limits
        .cpuMillis()
        .filter(millis -> millis < 10 || millis > MOST_CPU)
        .ifPresent(millis -> problems.add("cpuMillis must be 10 to %d".formatted(MOST_CPU)));
    limits
        .pids()
        .filter(number -> number < 1)
        .ifPresent(number -> problems.add("the limit of processes must be at least 1"));
  }

  private void checkEnvironment() {
    command
        .environment()
        .forEach(
            (name, value) -> {
              if (!VARIABLE.matcher(name).matches()) {
                problems.add(
                    "environment: \"%s\" is not a name of letters, digits and '_'".formatted(name));
              }
              checkText("environment: " + name, value);
            });
    command.arguments().forEach(each -> checkText("arguments", each));
    int files = command.limits().openFiles().orElse(OPEN_FILES);
    if (files < 1 || files > host.fileLimit()) {
      problems.add(
          "limit of %d open files is not between 1 and this user's hard limit %d"
              .formatted(files, host.fileLimit()));
    }
  }

  private void checkText(String where, String text) {
    if (text.indexOf('\0') >= 0) {
      problems.add(where + " must not hold the character NUL");
    }
  }

  private void warnAboutTheIgnored() {
    if (command.limits().cpuShares().isPresent()) {
      warnings.add("cpu shares are not enforced");
    }
  }

  /** The file of the program: a name is looked up in PATH, a relative path in the directory. */
  private @Nullable Path executable(String program, @Nullable Path directory) {
    if (program.isEmpty() || program.indexOf('\0') >= 0) {
      problems.add("the program has no name");
      return null;
    }
    if (program.indexOf('/') < 0) {
      var path = environment().getOrDefault(PATH, "");
      var found =
          Stream.of(path.split(":"))
              .filter(each -> each.startsWith("/"))
              .map(each -> Path.of(each, program))
              .filter(CommandExamination::isProgram)
              .findFirst();
      if (found.isEmpty()) {
        problems.add("there is no program \"%s\" in PATH=%s".formatted(program, path));
      }
      return found.orElse(null);
    }
    var file = absolute(program);
    if (file == null && directory != null) {
      file = directory.resolve(program).normalize();
    }
    if (file == null || !isProgram(file)) {
      problems.add("\"%s\" is not an executable file".formatted(file == null ? program : file));
      return null;
    }
    return file;
  }

  private static boolean isProgram(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }

  /** The environment of the command, with a search path. */
  private Map<String, String> environment() {
    var environment = new HashMap<>(command.environment());
    environment.putIfAbsent(PATH, STANDARD_PATH);
    return environment;
  }

  private @Nullable Path directory(String path) {
    var directory = absolute(path);
    if (directory == null || !Files.isDirectory(directory)) {
      problems.add("\"%s\" is not the absolute path of a directory".formatted(path));
      return null;
    }
    return directory;
  }

  private static @Nullable Path absolute(String path) {
    try {
      var absolute = Path.of(path);
      return absolute.isAbsolute() ? absolute : null;
    } catch (InvalidPathException unusable) {
      return null;
    }
  }

  private Program program(int index, Path executable, Path directory) {
    var slot = "%s/%s.%d".formatted(group, process, index);
    return new Program(
        slot,
        executable.toString(),
        executable,
        command.arguments().subList(1, command.arguments().size()),
        directory,
        Program.environ(host.term(), environment(), slot, ""),
        new TreeSet<>(),
        host.logFile(group, process, index),
        command.limits().openFiles().orElse(OPEN_FILES),
        new Terms(
            RESTART_TIMEOUT,
            command.stopping().seconds(),
            List.of(),
            spec.kind() == ProcessSpec.Type.COMMAND,
            command.stopping().delaySeconds(),
            command.stopping().signal(),
            command.stopping().before(),
            spec.cron().map(ProcessSpec.Cron::schedule).orElse(""),
            spec.cron().map(ProcessSpec.Cron::limitSeconds).orElse(0L)),
        Launcher.words(host, command),
        command.limits(),
        command.umask(),
        secrets());
  }

  private ProgramSecrets secrets() {
    var sources = new TreeMap<String, Path>();
    command.secrets().forEach((name, path) -> sources.put(name, Path.of(path)));
    var groups = command.groups();
    return new ProgramSecrets(
        sources,
        command.user().orElse(host.user()),
        groups.isEmpty() ? command.user().orElse(host.group()) : groups.get(0));
  }

  /** Whether the files can be read is known at the start. */
  private void checkSecrets() {
    command
        .secrets()
        .forEach(
            (name, path) -> {
              if (!SECRET.matcher(name).matches() || absolute(path) == null) {
                problems.add(
                    "secret %s: a name of letters and digits and an absolute path are needed"
                        .formatted(name));
              }
            });
  }
}
