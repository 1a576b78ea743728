package verwalter.cluster.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Electors in processes of their own, and the history of what they have printed. */
final class ElectorGroup {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Path directory;
  private final Path certificates;
  private final Map<Long, Elector> electors = new TreeMap<>();
  private final Map<Long, Running> running = new HashMap<>();
  private final List<Running> all = new ArrayList<>();
  private int starts;

  ElectorGroup(Path directory, Path certificates) {
    this.directory = directory;
    this.certificates = certificates;
  }

  /** A process, and what it has printed. */
  final class Running {
    private final long id;
    private final Process process;
    private final PrintStream input;
    private final List<String> seen = new ArrayList<>();
    private final List<String> appended = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();
    private String status = "";

    private Running(long id, Process process) {
      this.id = id;
      this.process = process;
      this.input = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
      var reader = new Thread(this::read, "elector " + id);
      reader.setDaemon(true);
      reader.start();
    }

    private void read() {
      try (var in =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
        for (var line = in.readLine(); line != null; line = in.readLine()) {
          add(line);
        }
      } catch (IOException killed) {
        // its last line may be incomplete, and is dropped
      }
    }

    private void add(String line) {
      synchronized (ElectorGroup.this) {
        var words = line.split(" ", 3);
        switch (words[0]) {
          case "seen" -> {
            assertThat(Integer.parseInt(words[1])).isEqualTo(seen.size() + 1);
            seen.add(words[2]);
          }
          case "appended" -> appended.add(words[1]);
          case "is" -> {
            status = words[1];
            lines.add(line);
          }
          default -> lines.add(line);
        }
        ElectorGroup.this.notifyAll();
      }
    }

    /** The number of entries that it has appended. */
    int appended() {
      synchronized (ElectorGroup.this) {
        return appended.size();
      }
    }

    /** Runs a command to its end. */
    void command(String command) throws InterruptedException {
      send(command);
      await(
          () ->
              lines.stream()
                  .anyMatch(
                      line ->
                          line.equals("done " + command) || line.startsWith("failed " + command)));
      synchronized (ElectorGroup.this) {
        assertThat(lines).noneMatch(line -> line.startsWith("failed " + command));
        lines.remove("done " + command);
      }
    }

    void send(String command) {
      input.println(command);
    }

    String status() {
      synchronized (ElectorGroup.this) {
        return status;
      }
    }

    /** Whether its last status has a problem with this text. */
    boolean hasProblem(String text) {
      synchronized (ElectorGroup.this) {
        return lines.stream()
            .filter(line -> line.startsWith("is "))
            .reduce((first, second) -> second)
            .filter(line -> line.contains(text))
            .isPresent();
      }
    }

    @Override
    public String toString() {
      return "%d %s %s seen %d".formatted(id, status, lines, seen.size());
    }
  }

  Path directory(long id) {
    return directory.resolve(Long.toString(id));
  }

  /** Creates the first elector and starts it. */
  Running create(long id) throws IOException {
    var self = new Elector(id, "127.0.0.1", Ports.three());
    ElectorServer.create(directory(id), self);
    electors.put(id, self);
    return start(id);
  }

  /** Creates another elector, starts it, and makes it a member. */
  Running join(long id) throws IOException, InterruptedException {
    var self = new Elector(id, "127.0.0.1", Ports.three());
    var member = running.values().iterator().next();
    ElectorServer.join(directory(id), self, electors.values());
    electors.put(id, self);
    var joined = start(id);
    member.command("add %d %s %d".formatted(id, self.host(), self.port()));
    await(() -> joined.status.equals("FOLLOWING"));
    return joined;
  }

  Running start(long id) throws IOException {
    var process =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                ElectorProcess.class.getName(),
                id + "." + ++starts,
                directory(id).toString(),
                certificates.toString())
            .redirectError(directory.resolve("errors").toFile())
            .start();
    var started = new Running(id, process);
    running.put(id, started);
    all.add(started);
    return started;
  }

  Running get(long id) {
    return running.get(id);
  }

  /** The present leader, once there is one. */
  Running leader() throws InterruptedException {
    await(() -> running.values().stream().anyMatch(each -> each.status.equals("LEADING")));
    return running.values().stream()
        .filter(each -> each.status().equals("LEADING"))
        .findFirst()
        .orElseThrow();
  }

  long id(Running of) {
    return of.id;
  }

  /** Ends a process at once. */
  void kill(long id) throws InterruptedException {
    var killed = running.remove(id);
    killed.process.destroyForcibly();
    killed.process.waitFor();
  }

  void signal(long id, String signal) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + signal, Long.toString(running.get(id).process.pid()))
        .start()
        .waitFor();
  }

  /** Waits until the condition holds, which is evaluated after each line. */
  void await(BooleanSupplier condition) throws InterruptedException {
    await(condition, LIMIT);
  }

  synchronized void await(BooleanSupplier condition, Duration limit) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      long rest = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (rest <= 0) {
        throw new AssertionError("not within %s: %s".formatted(limit, running.values()));
      }
      wait(rest);
    }
  }

  /** Whether the condition stays false for this time. */
  boolean staysFalse(BooleanSupplier condition, Duration time) throws InterruptedException {
    try {
      await(condition, time);
      return false;
    } catch (AssertionError expected) {
      return true;
    }
  }

  /** Waits until this process has appended some more entries. */
  void awaitAppends(Running of, int more) throws InterruptedException {
    int wanted = of.appended() + more;
    await(() -> of.appended.size() >= wanted);
  }

  /**
   * Waits until all running processes have seen everything that was acknowledged, and checks that
   * it is there once and that all have seen one order.
   */
  void check() throws InterruptedException {
    running.values().forEach(each -> each.send("append off"));
    await(
        () -> {
          var acknowledged = acknowledged();
          return running.values().stream().allMatch(each -> each.seen.containsAll(acknowledged));
        });
    synchronized (this) {
      var longest = all.get(0).seen;
      for (var each : all) {
        longest = each.seen.size() > longest.size() ? each.seen : longest;
      }
      assertThat(longest).doesNotHaveDuplicates();
      for (var each : all) {
        assertThat(each.seen).as("%s", each.id).isEqualTo(longest.subList(0, each.seen.size()));
        assertThat(each.lines).noneMatch(line -> line.startsWith("ended"));
      }
      assertThat(acknowledged()).isNotEmpty();
      assertThat(
              all.stream()
                  .flatMap(each -> each.lines.stream())
                  .filter(line -> line.startsWith("leads ")))
          .as("each epoch has one leader")
          .isNotEmpty()
          .doesNotHaveDuplicates();
    }
  }

  private Set<String> acknowledged() {
    var acknowledged = new HashSet<String>();
    all.forEach(each -> acknowledged.addAll(each.appended));
    return acknowledged;
  }

  /** The newest file of an elector's log. */
  Path log(long id) throws IOException {
    try (var files = Files.list(directory(id).resolve("data/version-2"))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("log."))
          .max(
              java.util.Comparator.comparingLong(
                  file -> Long.parseLong(file.getFileName().toString().substring(4), 16)))
          .orElseThrow();
    }
  }

  /** Ends all processes. */
  void close() throws InterruptedException {
    for (var each : all) {
      each.process.destroyForcibly();
      each.process.waitFor();
    }
  }
}
