package verwalter.metrics;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Reads {@code /proc} or a similar tree. Missing and unexpected values are skipped. */
final class ProcReader {
  private static final int LARGEST = 1 << 20;
  private static final List<String> CPU =
      List.of(
          "user",
          "nice",
          "system",
          "idle",
          "iowait",
          "irq",
          "softirq",
          "steal",
          "guest",
          "guest_nice");
  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final Pattern IGNORED_DISK = Pattern.compile("(ram|loop)\\d+");
  private static final long SECTOR = 512;

  private final Path root;

  ProcReader(Path root) {
    this.root = root;
  }

  /** Ticks of all processors by mode. */
  Map<String, Double> cpu() {
    var ticks = new LinkedHashMap<String, Double>();
    for (var line : lines("stat")) {
      if (line.startsWith("cpu ")) {
        var words = words(line);
        for (int i = 0; i < CPU.size() && i + 1 < words.size(); i++) {
          put(ticks, CPU.get(i), words.get(i + 1));
        }
      }
    }
    return ticks;
  }

  /** Memory in bytes by the names in the file. */
  Map<String, Double> memory() {
    var memory = new LinkedHashMap<String, Double>();
    lines("meminfo").forEach(line -> kilobytes(line, memory));
    return memory;
  }

  private static void kilobytes(String line, Map<String, Double> to) {
    int colon = line.indexOf(':');
    var words = words(line.substring(colon + 1));
    if (colon > 0 && !words.isEmpty()) {
      put(to, line.substring(0, colon), words.get(0));
      if (words.size() > 1 && words.get(1).equals("kB")) {
        to.computeIfPresent(line.substring(0, colon), (name, value) -> value * 1024);
      }
    }
  }

  /** The load, and the numbers of existing and runnable processes. */
  Map<String, Double> load() {
    var load = new LinkedHashMap<String, Double>();
    var words = lines("loadavg").stream().findFirst().map(ProcReader::words).orElse(List.of());
    if (words.size() >= 5) {
      put(load, "load_avg_1min", words.get(0));
      put(load, "load_avg_5min", words.get(1));
      put(load, "load_avg_15min", words.get(2));
      var processes = words.get(3).split("/", 2);
      put(load, "proc_runnable", processes[0]);
      put(load, "proc_total", processes[processes.length - 1]);
    }
    return load;
  }

  Map<String, Double> uptime() {
    var uptime = new LinkedHashMap<String, Double>();
    var words = lines("uptime").stream().findFirst().map(ProcReader::words).orElse(List.of());
    if (words.size() >= 2) {
      put(uptime, "uptime", words.get(0));
      put(uptime, "idle_time", words.get(1));
    }
    return uptime;
  }

  /** Operations and bytes read and written, by device. */
  Map<String, Map<String, Double>> disks() {
    var disks = new LinkedHashMap<String, Map<String, Double>>();
    for (var line : lines("diskstats")) {
      var words = words(line);
      if (words.size() >= 14 && !IGNORED_DISK.matcher(words.get(2)).matches()) {
        var disk = new LinkedHashMap<String, Double>();
        put(disk, "disk.read.ops", words.get(3));
        put(disk, "disk.read.merges", words.get(4));
        put(disk, "disk.read.bytes", words.get(5));
        put(disk, "disk.read.time", words.get(6));
        put(disk, "disk.write.ops", words.get(7));
        put(disk, "disk.write.merges", words.get(8));
        put(disk, "disk.write.bytes", words.get(9));
        put(disk, "disk.write.time", words.get(10));
        put(disk, "disk.in_progress", words.get(11));
        put(disk, "disk.time", words.get(12));
        put(disk, "disk.weighted_time", words.get(13));
        disk.computeIfPresent("disk.read.bytes", (name, sectors) -> sectors * SECTOR);
        disk.computeIfPresent("disk.write.bytes", (name, sectors) -> sectors * SECTOR);
        disks.put(words.get(2), disk);
      }
    }
    return disks;
  }

  /** The state of a process as one text, without its end of line; empty if it does not exist. */
  String stat(long pid) {
    return String.join("\n", lines(pid + "/stat"));
  }

  /**
   * Counters of a process: ticks, and bytes read and written if they are readable.
   *
   * @param stat its state, see {@link #stat}
   */
  Map<String, Double> counters(long pid, String stat) {
    var counters = new HashMap<String, Double>();
    // The name in parentheses may hold anything, even parentheses and line ends.
    int name = stat.lastIndexOf(')');
    var words = words(stat.substring(name + 1));
    if (name >= 0 && words.size() > 20) {
      put(counters, "user_time", words.get(11));
      put(counters, "system_time", words.get(12));
    }
    for (var line : lines(pid + "/io")) {
      if (line.startsWith("read_bytes") || line.startsWith("write_bytes")) {
        kilobytes(line, counters);
      }
    }
    return counters;
  }

  /** The memory in bytes and the threads of a process. */
  Map<String, Double> gauges(long pid) {
    var status = new HashMap<String, Double>();
    for (var line : lines(pid + "/status")) {
      if (line.startsWith("Vm") || line.startsWith("Threads")) {
        kilobytes(line, status);
      }
    }
    var gauges = new HashMap<String, Double>();
    Map.of("VmSize", "vsize", "VmRSS", "rss", "VmSwap", "swap", "Threads", "num_threads")
        .forEach(
            (theirs, ours) -> {
              if (status.containsKey(theirs)) {
                gauges.put(ours, status.getOrDefault(theirs, 0.0));
              }
            });
    return gauges;
  }

  private static void put(Map<String, Double> to, String name, String number) {
    try {
      to.put(name, Double.valueOf(number));
    } catch (NumberFormatException strange) {
      // left out
    }
  }

  private static List<String> words(String line) {
    var stripped = line.strip();
    return stripped.isEmpty() ? List.of() : List.of(BLANKS.split(stripped));
  }

  private List<String> lines(String file) {
    try (var in = Files.newInputStream(root.resolve(file))) {
      var text = new String(in.readNBytes(LARGEST), StandardCharsets.UTF_8);
      return new ArrayList<>(text.lines().toList());
    } catch (IOException gone) {
      return List.of();
    }
  }
}
