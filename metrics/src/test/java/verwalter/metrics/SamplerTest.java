package verwalter.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.model.ProcessGroup;

class SamplerTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir private Path proc;

  private static ScrapeTarget target(long pid) {
    return new ScrapeTarget(
        ProcessGroup.KIND.key("web@here"),
        "web/front.0",
        "web",
        pid,
        2,
        Map.of("pid", "" + pid, "role", "web"),
        Optional.empty(),
        "");
  }

  private void write(String file, String text) throws IOException {
    Files.createDirectories(proc.resolve(file).getParent());
    Files.writeString(proc.resolve(file), text);
  }

  private void machine(long busy, long idle) throws IOException {
    write("stat", "cpu  %d 0 0 %d 0 0 0 0 7 0\ncpu0 1 2 3\nbtime 5\n".formatted(busy, idle));
    write("meminfo", "MemTotal:  1000 kB\nMemAvailable:   250 kB\nHugePages_Total:  3\n");
    write("loadavg", "0.52 0.60 0.70 2/345 6789\n");
    write("uptime", "350735.47 234388.90\n");
    write(
        "diskstats",
        "   7  0 loop0 1 2 3 4 5 6 7 8 9 10 11\n 8 0 sda 10 11 12 13 14 15 16 17 18 19 20 0 0 0 0\n");
  }

  private void process(long pid, long user, long system) throws IOException {
    write(
        pid + "/stat",
        "%d (a) b (c) R 1 1 1 0 -1 4 0 0 0 0 %d %d 0 0 20 0 1 0 99 1 1 1\n"
            .formatted(pid, user, system));
    write(pid + "/status", "Name:\tx\nVmSize:\t  40 kB\nVmRSS:\t  12 kB\nThreads:\t4\n");
    write(pid + "/io", "rchar: 1\nread_bytes: 4096\nwrite_bytes: 8192\ncancelled_write_bytes: 0\n");
  }

  private static Optional<Sample> find(Figures figures, String metric) {
    return figures.samples().stream()
        .filter(sample -> metric.equals(sample.labels().get("metric")))
        .findFirst();
  }

  @Test
  void metricsOfTheMachineHaveTheNamesOfCantal() throws IOException {
    machine(100, 900);
    var figures = new Sampler(proc, proc).look(List.of(), START);

    var expected =
        Map.ofEntries(
            Map.entry("cpu.user", 100.0),
            Map.entry("cpu.idle", 900.0),
            Map.entry("cpu.guest", 7.0),
            Map.entry("memory.MemTotal", 1_024_000.0),
            Map.entry("memory.HugePages_Total", 3.0),
            Map.entry("load_avg_1min", 0.52),
            Map.entry("load_avg_15min", 0.7),
            Map.entry("proc_runnable", 2.0),
            Map.entry("proc_total", 345.0),
            Map.entry("uptime", 350735.47),
            Map.entry("disk.read.ops", 10.0),
            Map.entry("disk.read.bytes", 12.0 * 512),
            Map.entry("disk.write.bytes", 16.0 * 512),
            Map.entry("disk.in_progress", 18.0));
    expected.forEach(
        (name, value) ->
            assertThat(find(figures, name).map(Sample::value)).as(name).contains(value));
    assertThat(find(figures, "cpu.user").map(Sample::counter)).contains(true);
    assertThat(find(figures, "disk.in_progress").map(Sample::counter)).contains(false);
    assertThat(find(figures, "filesystem.total").orElseThrow().value()).isPositive();
    assertThat(figures.memoryUsed()).isEqualTo(750 * 1024);
    assertThat(figures.cpuPercent()).isEmpty();
  }

  @Test
  void percentagesReferToTheTimeSinceTheLastRound() throws IOException {
    var sampler = new Sampler(proc, proc);
    machine(100, 900);
    process(7, 10, 5);
    sampler.look(List.of(target(7)), START);
    machine(150, 1050);
    process(7, 60, 55);

    var figures = sampler.look(List.of(target(7)), START.plusSeconds(5));

    assertThat(figures.cpuPercent().orElseThrow()).isCloseTo(25, within(1e-9));
    assertThat(figures.processes().get(0).cpuPercent().orElseThrow()).isCloseTo(20, within(1e-9));
    assertThat(find(figures, "cpu.percent").orElseThrow().value()).isCloseTo(25, within(1e-9));
  }

  @Test
  void aProcessWithAnyNameIsRead() throws IOException {
    process(7, 10, 5);

    var figures = new Sampler(proc, proc).look(List.of(target(7)), START);

    Map.of(
            "user_time", 10.0,
            "system_time", 5.0,
            "rss", 12.0 * 1024,
            "vsize", 40.0 * 1024,
            "num_threads", 4.0,
            "read_bytes", 4096.0,
            "write_bytes", 8192.0,
            "restarts", 2.0)
        .forEach(
            (name, value) ->
                assertThat(find(figures, name).map(Sample::value)).as(name).contains(value));
    assertThat(find(figures, "rss").orElseThrow().labels().get("pid")).isEqualTo("7");
    assertThat(find(figures, "restarts").orElseThrow().labels().get("pid")).isNull();
  }

  @Test
  void missingAndUnexpectedValuesAreSkipped() throws IOException {
    write("stat", "cpu  x 1\n");
    write("meminfo", "no colon\n:\nMemTotal: many kB\n");
    write("loadavg", "0.1\n");
    write("diskstats", "8 0\n");
    write("8/stat", "8 no name");

    var figures = new Sampler(proc, proc).look(List.of(target(7), target(8)), START);

    assertThat(figures.samples())
        .extracting(sample -> sample.labels().get("metric"))
        .containsExactlyInAnyOrder(
            "cpu.nice", "filesystem.total", "filesystem.available", "restarts", "restarts");
  }

  private static double used(Figures figures) {
    return find(figures, "user_time").orElseThrow().value();
  }

  @Test
  void measuresAnIdleProcessOnlyEveryFifteenSeconds() throws IOException {
    var sampler = new Sampler(proc, proc);
    process(7, 10, 5);
    sampler.look(List.of(target(7)), START);
    var idle = sampler.look(List.of(target(7)), START.plusSeconds(5));
    process(7, 30, 5);

    assertThat(idle.processes().get(0).cpuPercent()).contains(0.0);
    assertThat(find(idle, "cpu_percent").orElseThrow().value()).isZero();
    assertThat(used(idle)).isEqualTo(10);
    assertThat(used(sampler.look(List.of(target(7)), START.plusSeconds(10)))).isEqualTo(10);
    assertThat(used(sampler.look(List.of(target(7)), START.plusSeconds(15)))).isEqualTo(10);
    var later = sampler.look(List.of(target(7)), START.plusSeconds(20));
    assertThat(used(later)).isEqualTo(30);
    // 20 ticks of 10 ms since the last measurement, 15 s ago.
    assertThat(later.processes().get(0).cpuPercent().orElseThrow())
        .isCloseTo(100 * 0.2 / 15, within(1e-9));
  }

  @Test
  void measuresABusyProcessInEachRound() throws IOException {
    var sampler = new Sampler(proc, proc);
    for (int round = 0; round < 5; round++) {
      process(7, round, 0);
      assertThat(used(sampler.look(List.of(target(7)), START.plusSeconds(5L * round))))
          .isEqualTo(round);
    }
  }

  @Test
  void measuresAnIdleProcessAgainWhenTheClockIsSetBack() throws IOException {
    var sampler = new Sampler(proc, proc);
    process(7, 10, 5);
    sampler.look(List.of(target(7)), START);
    sampler.look(List.of(target(7)), START.plusSeconds(5));
    process(7, 30, 5);

    assertThat(used(sampler.look(List.of(target(7)), START.minusSeconds(86_400)))).isEqualTo(30);
  }
}
