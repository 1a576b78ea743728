package verwalter.supervisor.lithos;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import verwalter.model.ProcessSpec;
import verwalter.supervisor.program.Examined;
import verwalter.supervisor.program.Host;
import verwalter.supervisor.program.Identity;
import verwalter.supervisor.program.Program;

/** Validates one entry and collects its problems. */
final class Examination {
  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private final Host host;
  private final ParsedFiles<ContainerConfig> containers;
  private final String sandboxName;
  private final SandboxConfig sandbox;
  private final String process;
  private final ProcessSpec entry;
  private final List<String> problems = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  Examination(
      Host host,
      ParsedFiles<ContainerConfig> containers,
      String sandboxName,
      SandboxConfig sandbox,
      String process,
      ProcessSpec entry) {
    this.host = host;
    this.containers = containers;
    this.sandboxName = sandboxName;
    this.sandbox = sandbox;
    this.process = process;
    this.entry = entry;
  }

  Examined result() {
    var programs = new ArrayList<Program>();
    if (!Examiner.isName(process)) {
      problems.add("is not a process name: 1 to 64 letters, digits, '_' and '-'");
    }
    checkAddresses();
    try {
      var image = Image.open(sandbox, entry.image().orElse(""));
      var container = containers.read(image.configFile(entry.config().orElse("")));
      checkKind(container);
      checkNumbers(container);
      checkVariables(container);
      checkUser(container);
      refuseTheImpossible(container);
      warnAboutTheIgnored(container);
      var executable = executable(image, container);
      var workdir = workdir(image, container);
      checkLog(container);
      for (int i = 0; i < entry.daemons(); i++) {
        programs.add(program(i, container, executable, workdir, log(i, container)));
      }
      if (entry.daemons() == 0) {
        var only = program(0, container, executable, workdir, log(0, container));
        if (entry.kind() == ProcessSpec.Type.COMMAND) {
          programs.add(only);
        }
      }
    } catch (Image.Unusable unusable) {
      problems.add(String.valueOf(unusable.getMessage()));
    } catch (ConfigException broken) {
      broken.problems().forEach(each -> problems.add(each.toString()));
    }
    if (host.strict()) {
      problems.addAll(warnings);
    }
    var distinct = problems.stream().distinct().toList();
    return new Examined(distinct, warnings, distinct.isEmpty() ? programs : List.of());
  }

  /** Sandboxes with a bridge, in which addresses have an effect, are refused as a whole. */
  private void checkAddresses() {
    int addresses = entry.ipAddresses().size();
    if (addresses > 0 && addresses < entry.daemons()) {
      problems.add(
          "there are %d ip-addresses for %d instances".formatted(addresses, entry.daemons()));
    } else if (addresses > 0) {
      warnings.add("ip-addresses have no effect in a sandbox without bridged-network");
    }
  }

  private void checkKind(ContainerConfig container) {
    var wanted = Identity.kind(entry);
    if (container.kind() != ContainerConfig.Kind.EITHER
        && !container.kind().toString().equals(wanted)) {
      problems.add(
          "kind is "
              + wanted
              + ", but "
              + entry.config().orElse("")
              + " is for a "
              + container.kind());
    }
  }

  private void checkNumbers(ContainerConfig container) {
    if (container.filenoLimit() > host.fileLimit()) {
      problems.add(
          "fileno-limit "
              + container.filenoLimit()
              + " exceeds this user's hard limit "
              + host.fileLimit());
    }
  }

  private void checkVariables(ContainerConfig container) {
    container
        .variables()
        .forEach(
            (name, type) -> {
              var value = entry.variables().get(name);
              if (value == null) {
                problems.add("variable \"" + name + "\" is missing");
              } else {
                type.refuses(value, sandbox.allowTcpPorts())
                    .ifPresent(why -> problems.add("variable \"" + name + "\": " + why));
              }
            });
    container.environ().keySet().stream()
        .filter(name -> !VARIABLE.matcher(name).matches())
        .forEach(
            name ->
                problems.add("environ: \"" + name + "\" is not a name of letters, digits and '_'"));
  }

  private void checkUser(ContainerConfig container) {
    if ((!sandbox.uidMap().isEmpty() && !container.uidMap().isEmpty())
        || (!sandbox.gidMap().isEmpty() && !container.gidMap().isEmpty())) {
      problems.add("uid-map and gid-map may be in the sandbox or in the container, not in both");
    }
    var user = container.userId().or(sandbox::defaultUser);
    if (user.isEmpty()) {
      problems.add("user-id is missing, and the sandbox has no default-user");
    }
    user.ifPresent(id -> checkId("user", id, sandbox.allowUsers(), container.uidMap()));
    long group = container.groupId().orElse(sandbox.defaultGroup());
    checkId("group", group, sandbox.allowGroups(), container.gidMap());
    user.filter(id -> id != host.user())
        .ifPresent(id -> warnings.add(runningAs("uid", host.user(), id)));
    if (group != host.group()) {
      warnings.add(runningAs("gid", host.group(), group));
    }
  }

  private static String runningAs(String what, long is, long asked) {
    return "running as "
        + what
        + " "
        + is
        + ", config asks for "
        + asked
        + "; this supervisor does not switch";
  }

  private void checkId(String what, long id, List<IdRange> allowed, List<IdMap> own) {
    for (var map : own) {
      long last = map.outside() + Math.max(1, map.count()) - 1;
      if (allowed.stream().noneMatch(range -> range.holds(map.outside()) && range.holds(last))) {
        problems.add(what + " map " + map + " is not within the sandbox's " + allowed);
      }
    }
    boolean ok =
        own.isEmpty()
            ? IdRange.anyHolds(allowed, id)
            : own.stream().anyMatch(map -> map.inside() <= id && id < map.inside() + map.count());
    if (!ok) {
      problems.add(what + " " + id + " is not allowed by the sandbox (" + allowed + ")");
    }
  }

  /** Settings without which a program would run incorrectly. */
  private void refuseTheImpossible(ContainerConfig container) {
    if (!container.tcpPorts().isEmpty()) {
      problems.add(
          "tcp-ports needs open sockets handed over, which this supervisor cannot do;"
              + " let the program bind the port itself");
    }
    container
        .variables()
        .forEach(
            (name, type) -> {
              if (type instanceof VariableType.TcpPort port && port.activated()) {
                problems.add(
                    "variable \""
                        + name
                        + "\": activation needs open sockets handed over, which"
                        + " this supervisor cannot do; let the program bind the port itself");
              }
            });
    if (!container.secretEnviron().isEmpty() || container.secretEnvironFile().isPresent()) {
      problems.add("secret-environ needs lithos's keys, which this supervisor does not read");
    }
    container
        .volumes()
        .forEach(
            (mount, volume) -> {
              if (!mount.startsWith("/")) {
                problems.add("volumes: mount point \"" + mount + "\" must be absolute");
              } else if (volume.needsOutside() && volume.outside(sandbox).isEmpty()) {
                problems.add("volumes: " + mount + " has no directory in the sandbox");
              }
            });
  }

  private void warnAboutTheIgnored(ContainerConfig container) {
    if (container.limitsMemory()) {
      warnings.add("memory-limit is not enforced");
    }
    if (container.cpuShares() != 1024) {
      warnings.add("cpu-shares is not enforced");
    }
    if (!container.volumes().isEmpty()) {
      warnings.add("volumes are not mounted: " + String.join(", ", container.volumes().keySet()));
    }
    if (!container.uidMap().isEmpty() || !sandbox.uidMap().isEmpty()) {
      warnings.add("uid-map and gid-map are ignored");
    }
  }

  private @Nullable Path executable(Image image, ContainerConfig container) throws Image.Unusable {
    var found = image.find(container.executable());
    if (found.isEmpty()) {
      problems.add(
          "executable "
              + container.executable()
              + " is neither in image "
              + image.root()
              + " nor on this machine");
    } else if (!Files.isRegularFile(found.get()) || !Files.isExecutable(found.get())) {
      problems.add("executable " + found.get() + " is not an executable file");
    }
    return found.orElse(null);
  }

  private @Nullable Path workdir(Image image, ContainerConfig container) throws Image.Unusable {
    var found = image.find(container.workdir()).filter(Files::isDirectory);
    if (found.isEmpty()) {
      problems.add("workdir " + container.workdir() + " is not a directory");
    }
    return found.orElse(null);
  }

  private void checkLog(ContainerConfig container) {
    container
        .stdoutStderrFile()
        .ifPresent(
            path -> {
              try {
                if (underVolume(Path.of(path).normalize(), container.volumes()).isEmpty()) {
                  problems.add(
                      "stdout-stderr-file "
                          + path
                          + " is not in a volume with a directory outside");
                }
              } catch (InvalidPathException unusable) {
                problems.add("stdout-stderr-file \"" + path + "\" is not a path");
              }
            });
  }

  /** The log of an instance: that of the configuration, which all share, or one of its own. */
  private @Nullable Path log(int index, ContainerConfig container) {
    if (container.stdoutStderrFile().isEmpty()) {
      return host.logFile(sandboxName, process, index);
    }
    try {
      var file = Path.of(container.stdoutStderrFile().get()).normalize();
      return underVolume(file, container.volumes()).orElse(null);
    } catch (InvalidPathException unusable) {
      return null;
    }
  }

  private Optional<Path> underVolume(Path file, Map<String, Volume> volumes) {
    return volumes.keySet().stream()
        .filter(mount -> file.startsWith(Path.of(mount).normalize()))
        .max(Comparator.comparingInt((String mount) -> Path.of(mount).normalize().getNameCount()))
        .flatMap(
            mount ->
                Optional.ofNullable(volumes.get(mount))
                    .flatMap(volume -> volume.outside(sandbox))
                    .map(outside -> outside.resolve(Path.of(mount).normalize().relativize(file))));
  }

  private Program program(
      int index,
      ContainerConfig container,
      @Nullable Path executable,
      @Nullable Path workdir,
      @Nullable Path log) {
    var slot = sandboxName + "/" + process + "." + index;
    var known = new HashMap<>(entry.variables());
    known.putIfAbsent("lithos:name", slot);
    known.putIfAbsent("lithos:config_filename", entry.config().orElse(""));
    var substitution = new Substitution(known);
    var arguments =
        container.arguments().stream().map(each -> put(substitution, each, container)).toList();
    var environ = new TreeMap<String, String>();
    var pids = new TreeSet<String>();
    container
        .environ()
        .forEach(
            (name, value) -> {
              if (Substitution.isPid(value)) {
                pids.add(name);
              } else {
                environ.put(name, put(substitution, value, container));
              }
            });
    return new Program(
        slot,
        container.executable(),
        executable == null ? Path.of("/") : executable,
        arguments,
        workdir == null ? Path.of("/") : workdir,
        Program.environ(host.term(), environ, slot, entry.config().orElse("")),
        pids,
        log == null ? Path.of("/") : log,
        container.filenoLimit(),
        container.terms());
  }

  private String put(Substitution substitution, String text, ContainerConfig container) {
    for (var name : Substitution.names(text)) {
      if (name.equals("lithos:pid")) {
        problems.add("@{lithos:pid} may only be the whole value of an environ entry");
      } else if (!name.startsWith("lithos:") && !container.variables().containsKey(name)) {
        problems.add("@{" + name + "} is not a declared variable");
      }
    }
    return substitution.apply(text, unknown -> addUnknown(unknown, container));
  }

  private void addUnknown(String name, ContainerConfig container) {
    boolean reported =
        name.equals("lithos:pid")
            || container.variables().containsKey(name)
            || !name.startsWith("lithos:");
    if (!reported) {
      problems.add("@{" + name + "} is not a variable that lithos knows");
    }
  }
}
