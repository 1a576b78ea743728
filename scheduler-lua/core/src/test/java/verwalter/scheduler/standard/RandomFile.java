package verwalter.scheduler.standard;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import verwalter.model.service.ServiceFile;

/** The file of a service that changes at random. */
final class RandomFile {
  private static final class Part {
    final String name;
    final boolean probed;
    final int firstPort;
    String scale = "";
    int ports;

    Part(String name, boolean probed, int firstPort) {
      this.name = name;
      this.probed = probed;
      this.firstPort = firstPort;
    }
  }

  /** How long each revision waits for processes that do not serve. */
  static final long DEADLINE_SECONDS = 60;

  private static final List<String> STRATEGIES =
      List.of(
          "one-by-one: true",
          "one-by-one: true",
          "substeps: 2",
          "substeps: 3",
          "canary: 30%",
          "blue-green: true");

  private final Random random;
  private final List<Part> processes = new ArrayList<>();
  private int content = 1;
  private String strategy = "one-by-one: true";
  private int readyFor = 2;
  private String onFailure = "revert";
  private String place = "";

  RandomFile(Random random, int firstPort) {
    this.random = random;
    addProcess("web", firstPort);
    if (random.nextInt(3) == 0) {
      addProcess("worker", firstPort);
    }
    strategy();
    place();
  }

  private void addProcess(String name, int firstPort) {
    var process = new Part(name, random.nextInt(3) > 0, firstPort);
    process.ports = random.nextInt(4) == 0 ? 0 : 40;
    scale(process);
    processes.add(process);
  }

  private void scale(Part process) {
    process.scale =
        switch (random.nextInt(6)) {
          case 0 -> "per-node: " + (1 + random.nextInt(2));
          case 1 -> "share: " + (25 + random.nextInt(50)) + "%";
          default -> "instances: " + random.nextInt(9);
        };
  }

  private void strategy() {
    strategy = STRATEGIES.get(random.nextInt(STRATEGIES.size()));
    readyFor = random.nextInt(5) * 2;
    onFailure = random.nextInt(5) == 0 ? "pause" : "revert";
  }

  private void place() {
    place =
        switch (random.nextInt(5)) {
          case 0 -> "place: {spread: zone}\n";
          case 1 -> "place: {nodes: disk=ssd}\n";
          default -> "";
        };
  }

  /** Changes something, and mostly the commands. */
  void change() {
    if (random.nextInt(4) > 0) {
      content++;
    }
    switch (random.nextInt(6)) {
      case 0 -> scale(processes.get(random.nextInt(processes.size())));
      case 1 -> strategy();
      case 2 -> {
        if (processes.size() > 1 && random.nextBoolean()) {
          processes.remove(1);
        } else if (processes.size() == 1) {
          addProcess("worker", processes.get(0).firstPort);
        }
      }
      default -> {}
    }
  }

  /** The number of the commands of the file. */
  int content() {
    return content;
  }

  String text() {
    var text = new StringBuilder("processes:\n");
    for (var process : processes) {
      text.append("  %s:\n    command: [./server, c%d]\n".formatted(process.name, content));
      text.append("    ").append(process.scale).append('\n');
      if (process.ports > 0) {
        int last = process.firstPort + process.ports - 1;
        text.append("    ports: {http: %d-%d}\n".formatted(process.firstPort, last));
      }
      if (process.probed) {
        text.append("    health: {exec: [./check]}\n");
      }
    }
    text.append(place);
    text.append(
        "update: {%s, ready-for: %ds, deadline: %ds, on-failure: %s}\n"
            .formatted(strategy, readyFor, DEADLINE_SECONDS, onFailure));
    return text.toString();
  }

  ServiceFile read() throws Exception {
    return ServiceFile.read(text(), "roles/service.yaml");
  }
}
