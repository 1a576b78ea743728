package verwalter.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import verwalter.controllers.template.Needs;
import verwalter.controllers.template.RoleTemplates;
import verwalter.controllers.template.Templates;
import verwalter.model.ProcessSpec;
import verwalter.model.TemplateOutput;
import verwalter.model.json.Json;
import verwalter.render.apply.LocalPrograms;
import verwalter.render.apply.ProcessFiles;

/**
 * Rendering without an agent, for {@code render.py}: renders, compares with the files on disk and
 * writes those that differ, as an agent does after a change of the schedule, and prints the
 * durations.
 */
public final class RenderAlone {
  /** The number of roles that an agent renders at once. */
  private static final int AT_ONCE = 8;

  private static final int WARM_UP = 200;

  private final RoleTemplates templates;
  private final Map<String, Object> variables;
  private final int roles;
  private final ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
  private final ExecutorService syncing = Executors.newCachedThreadPool();
  private final Map<String, Templates.Before> before = new ConcurrentHashMap<>();
  private final List<Double> checks = new ArrayList<>();

  private RenderAlone(Path root, Map<String, Object> variables, int roles) {
    this.templates =
        new RoleTemplates(
            root,
            root.resolve("state"),
            new LocalPrograms(Map.of(), Duration.ofMinutes(1), System::nanoTime),
            new NoProcesses(),
            syncing);
    this.variables = variables;
    this.roles = roles;
  }

  /** Arguments: the configuration directory, a file of variables, the number of roles, rounds. */
  public static void main(String[] arguments) throws Exception {
    var variables = Json.object(Json.parse(Files.readString(Path.of(arguments[1]))));
    int rounds = Integer.parseInt(arguments[3]);
    var bench = new RenderAlone(Path.of(arguments[0]), variables, Integer.parseInt(arguments[2]));
    try {
      double first = bench.all(0);
      for (int i = 1; i <= WARM_UP; i++) {
        bench.one("warm", i);
      }
      var one = new double[rounds * 10];
      for (int i = 0; i < one.length; i++) {
        one[i] = bench.one("role0", i);
      }
      var changed = new double[rounds];
      for (int i = 0; i < rounds; i++) {
        changed[i] = bench.all(i + 1);
      }
      var later = bench.checks.subList(1, bench.checks.size()).stream();
      double afterwards = quantile(later.mapToDouble(Double::doubleValue).toArray(), 0.5);
      long written = written();
      var unchanged = new double[rounds];
      for (int i = 0; i < rounds; i++) {
        unchanged[i] = bench.all(rounds);
      }
      var same = new double[one.length];
      for (int i = 0; i < same.length; i++) {
        same[i] = bench.one("role0", rounds);
      }
      written = written() - written;
      System.out.printf(
          "%.1f %.2f %.2f %.2f %.2f %.2f %.2f %d %.2f%n",
          first,
          quantile(changed, 0.5),
          quantile(unchanged, 0.5),
          quantile(one, 0.5),
          quantile(one, 0.99),
          quantile(same, 0.5),
          quantile(same, 0.99),
          written,
          afterwards);
    } finally {
      bench.threads.shutdownNow();
      bench.syncing.shutdownNow();
    }
  }

  /** Milliseconds until every role has this generation. */
  private double all(int generation) throws Exception {
    long start = System.nanoTime();
    var tasks = new ArrayList<Callable<Templates.Applied>>();
    for (int i = 0; i < roles; i++) {
      var role = "role" + i;
      tasks.add(() -> apply(role, generation));
    }
    var results = threads.invokeAll(tasks);
    double took = (System.nanoTime() - start) / 1e6;
    tasks.clear();
    for (int i = 0; i < roles; i++) {
      var role = "role" + i;
      remember(role, results.get(i).get());
      tasks.add(() -> check(role, generation));
    }
    start = System.nanoTime();
    for (var checked : threads.invokeAll(tasks)) {
      checked.get();
    }
    checks.add((System.nanoTime() - start) / 1e6);
    return took;
  }

  private double one(String role, int generation) throws Exception {
    long start = System.nanoTime();
    var applied = apply(role, generation);
    double took = (System.nanoTime() - start) / 1e6;
    remember(role, applied);
    check(role, generation);
    return took;
  }

  /** What an agent does soon after it has written files: syncs them, and compares them. */
  private Templates.Applied check(String role, int generation) throws Templates.Failed {
    return templates.check(
        wanted(role, generation), before.getOrDefault(role, Templates.Before.NOTHING));
  }

  private Templates.Applied apply(String role, int generation) throws Templates.Failed {
    return templates.apply(
        wanted(role, generation), before.getOrDefault(role, Templates.Before.NOTHING));
  }

  private Templates.Wanted wanted(String role, int generation) {
    var mine = new HashMap<>(variables);
    mine.put("role", role);
    mine.put("generation", (long) generation);
    return new Templates.Wanted(
        role,
        role,
        "app",
        mine,
        Integer.toString(generation),
        role + "-" + generation,
        Instant.EPOCH.plusMillis(generation),
        Optional.empty(),
        Optional.empty(),
        true,
        () -> Needs.NONE);
  }

  private void remember(String role, Templates.Applied applied) {
    before.put(
        role,
        new Templates.Before(
            applied.digest(), applied.files(), applied.processes(), applied.releases()));
  }

  /** The number of bytes that this process has written so far. */
  private static long written() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/io")).stream()
        .filter(line -> line.startsWith("wchar: "))
        .mapToLong(line -> Long.parseLong(line.substring("wchar: ".length())))
        .sum();
  }

  private static double quantile(double[] times, double part) {
    Arrays.sort(times);
    return times[(int) ((times.length - 1) * part)];
  }

  /** The measured templates contain none. */
  private static final class NoProcesses implements ProcessFiles {
    @Override
    public TemplateOutput.ProcessFile accept(String sandbox, String text, String file) {
      return new TemplateOutput.ProcessFile(sandbox, Map.<String, ProcessSpec>of());
    }
  }
}
