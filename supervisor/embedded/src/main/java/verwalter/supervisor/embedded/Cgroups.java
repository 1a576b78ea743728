package verwalter.supervisor.embedded;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.model.ProcessSpec;

/**
 * The cgroups of runs: one below the cgroup of the agent for each run, in the hierarchy that tracks
 * processes and in those that enforce its limits. A process cannot leave its cgroup, so daemons are
 * found that left their session and cleared their environment. Stateless.
 */
final class Cgroups {
  private static final Logger LOG = LoggerFactory.getLogger(Cgroups.class);
  private static final String PROCESSES = "cgroup.procs";
  private static final String MEMORY = "memory";
  private static final String CPU = "cpu";
  private static final String PIDS = "pids";

  /** The period of the limit of processors in microseconds. */
  private static final long PERIOD = 100_000;

  private static final Pattern KILLS = Pattern.compile("(?m)^oom_kill (\\d+)$");

  /** Rounds of killing, and the pause after each, in which processes end. */
  private static final int ROUNDS = 100;

  private static final Duration PAUSE = Duration.ofMillis(5);

  private final List<CgroupHierarchy> hierarchies;
  private final String name;

  /**
   * @param hierarchies of this machine, in the order in which they are tried
   * @param scope distinguishes this supervisor from others on the machine
   */
  Cgroups(List<CgroupHierarchy> hierarchies, String scope) {
    this.hierarchies = List.copyOf(hierarchies);
    this.name = "verwalter-" + scope.replace("/", "");
  }

  /** Makes the cgroups of a run, with its limits. The program enters them when it starts. */
  Confinement prepare(String run, ProcessSpec.Limits limits) {
    var groups = new LinkedHashSet<Path>();
    track(run).ifPresent(groups::add);
    var problems = new LinkedHashMap<String, List<String>>();
    boolean remembers = true;
    for (var limit : settings(limits).entrySet()) {
      try {
        groups.add(limit(run, limit.getKey(), limit.getValue()));
      } catch (IOException failed) {
        remembers &= !limit.getKey().equals(MEMORY);
        problems
            .computeIfAbsent(String.valueOf(failed.getMessage()), why -> new ArrayList<>())
            .add(limit.getKey());
      }
    }
    var unenforced = new ArrayList<String>();
    problems.forEach(
        (why, which) ->
            unenforced.add(
                "the limits of %s are not enforced: %s".formatted(String.join(", ", which), why)));
    return new Confinement(
        List.copyOf(groups),
        remembers ? limits.memory() : Optional.empty(),
        String.join("; ", unenforced));
  }

  /** What is written for each controller, in version 1 and in version 2: by file. */
  private record Setting(Map<String, String> first, Map<String, String> second) {}

  private static Map<String, Setting> settings(ProcessSpec.Limits limits) {
    var settings = new LinkedHashMap<String, Setting>();
    limits
        .memory()
        .ifPresent(
            bytes ->
                settings.put(
                    MEMORY,
                    new Setting(
                        Map.of("memory.limit_in_bytes", "" + bytes),
                        Map.of("memory.max", "" + bytes))));
    limits
        .cpuMillis()
        .ifPresent(
            millis -> {
              long quota = Math.max(1_000, millis * PERIOD / 1_000);
              settings.put(
                  CPU,
                  new Setting(
                      Map.of("cpu.cfs_quota_us", "" + quota),
                      Map.of("cpu.max", quota + " " + PERIOD)));
            });
    limits
        .pids()
        .ifPresent(
            most -> {
              var file = Map.of("pids.max", "" + most);
              settings.put(PIDS, new Setting(file, file));
            });
    return settings;
  }

  private Path limit(String run, String controller, Setting setting) throws IOException {
    var hierarchy =
        hierarchies.stream()
            .filter(it -> it.controllers().contains(controller))
            .findFirst()
            .orElseThrow(
                () -> new IOException("this machine has no cgroup controller " + controller));
    if (hierarchy.unified()) {
      enable(hierarchy.own(), controller);
      enable(make(base(hierarchy)), controller);
    }
    var group = group(hierarchy, run);
    var files = hierarchy.unified() ? setting.second() : setting.first();
    for (var file : files.entrySet()) {
      write(group.resolve(file.getKey()), file.getValue());
    }
    return group;
  }

  /** Gives a controller to the cgroups below. A cgroup with processes cannot do that. */
  private static void enable(Path group, String controller) throws IOException {
    var file = group.resolve("cgroup.subtree_control");
    if (!List.of(Files.readString(file).strip().split(" +")).contains(controller)) {
      write(file, "+" + controller);
    }
  }

  private Optional<Path> track(String run) {
    for (var hierarchy : hierarchies) {
      try {
        return Optional.of(group(hierarchy, run));
      } catch (IOException unable) {
        LOG.debug("run={} cannot be tracked: {}", run, unable.toString());
      }
    }
    return Optional.empty();
  }

  private Path base(CgroupHierarchy hierarchy) {
    return hierarchy.own().resolve(name);
  }

  private Path group(CgroupHierarchy hierarchy, String run) throws IOException {
    var group = make(base(hierarchy)).resolve(run);
    try {
      return make(group);
    } catch (IOException failed) {
      // The end of the last other run may have removed the parent meanwhile.
      make(base(hierarchy));
      return make(group);
    }
  }

  private static Path make(Path group) throws IOException {
    try {
      Files.createDirectory(group);
    } catch (FileAlreadyExistsException exists) {
      // From an earlier run or an earlier attempt.
    } catch (IOException failed) {
      throw new IOException("cannot create %s: %s".formatted(group, reason(failed)), failed);
    }
    return group;
  }

  private static void write(Path file, String text) throws IOException {
    try {
      Files.writeString(file, text);
    } catch (IOException failed) {
      throw new IOException(
          "cannot write %s to %s: %s".formatted(text, file, reason(failed)), failed);
    }
  }

  private static String reason(IOException failed) {
    if (failed instanceof java.nio.file.AccessDeniedException) {
      return "permission denied; run the agent as root";
    }
    return failed instanceof java.nio.file.FileSystemException it && it.getReason() != null
        ? it.getReason()
        : String.valueOf(failed.getMessage());
  }

  /** All cgroups of a run: those of its note, and those that would be made now. */
  private Set<Path> groups(Run run) {
    var groups = new LinkedHashSet<>(run.confinement().groups());
    groups.addAll(groups(run.id()));
    return groups;
  }

  private List<Path> groups(String run) {
    return hierarchies.stream()
        .map(it -> base(it).resolve(run))
        .filter(Files::isDirectory)
        .toList();
  }

  /** The processes in the cgroups of a run. */
  SortedSet<Long> processes(Run run) {
    return processes(groups(run));
  }

  private static SortedSet<Long> processes(Iterable<Path> groups) {
    var pids = new TreeSet<Long>();
    for (var group : groups) {
      try {
        for (var line : Files.readAllLines(group.resolve(PROCESSES))) {
          pids.add(Long.parseLong(line.strip()));
        }
      } catch (IOException | NumberFormatException gone) {
        LOG.debug("{} cannot be read: {}", group, gone.toString());
      }
    }
    pids.remove(0L); // a process outside of this PID namespace
    pids.remove(ProcessHandle.current().pid());
    return pids;
  }

  /**
   * Kills what is left in the cgroups of a run that has ended, and removes them.
   *
   * @return the processes that were killed
   */
  SortedSet<Long> end(Run run) {
    return end(groups(run));
  }

  private SortedSet<Long> end(Set<Path> groups) {
    var killed = new TreeSet<Long>();
    for (int round = 0; round < ROUNDS && !groups.isEmpty(); round++) {
      var left = processes(groups);
      for (var pid : left) {
        if (Proc.stat(pid).filter(Proc.Stat::isAlive).isPresent()) {
          killed.add(pid);
          ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        }
      }
      if (removed(groups)) {
        clean();
        return killed;
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    return killed;
  }

  private static boolean removed(Set<Path> groups) {
    boolean all = true;
    for (var group : groups) {
      try {
        Files.delete(group);
      } catch (NoSuchFileException gone) {
        // Removed by an earlier attempt.
      } catch (IOException busy) {
        all = false;
      }
    }
    return all;
  }

  /** The number of processes of a run that the kernel ended because of its limit of memory. */
  long endedByMemory(Run run) {
    long most = 0;
    for (var group : groups(run)) {
      for (var file : List.of("memory.events", "memory.oom_control")) {
        try {
          var match = KILLS.matcher(Files.readString(group.resolve(file)));
          most = Math.max(most, match.find() ? Long.parseLong(match.group(1)) : 0);
        } catch (IOException other) {
          LOG.trace("{} has no {}", group, file);
        }
      }
    }
    return most;
  }

  /** The runs that have a cgroup. */
  Set<String> runs() {
    var runs = new TreeSet<String>();
    for (var hierarchy : hierarchies) {
      try (var groups = Files.newDirectoryStream(base(hierarchy), Files::isDirectory)) {
        groups.forEach(group -> runs.add(String.valueOf(group.getFileName())));
      } catch (IOException | DirectoryIteratorException none) {
        LOG.trace("{} has no cgroup of a run", hierarchy.own());
      }
    }
    return runs;
  }

  /** Whether the cgroups of a run were made before that time. */
  boolean isOlder(String run, Instant time) {
    return groups(run).stream().allMatch(group -> made(group).isBefore(time));
  }

  private static Instant made(Path group) {
    try {
      return Files.getLastModifiedTime(group).toInstant();
    } catch (IOException gone) {
      return Instant.MIN;
    }
  }

  /** Removes the cgroups of a run that is over, with what is left in them. */
  SortedSet<Long> end(String run) {
    return end(new LinkedHashSet<>(groups(run)));
  }

  /** Removes the directory of all cgroups if no run has one. */
  private void clean() {
    for (var hierarchy : hierarchies) {
      try {
        Files.deleteIfExists(base(hierarchy));
      } catch (IOException used) {
        LOG.trace("{} is used", base(hierarchy));
      }
    }
  }
}
