package verwalter.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the processes of a node have written about themselves: a line for each start, signal and
 * end. Compared with the processes that exist, it says which ones have ended.
 */
final class ProcessJournal {
  /** The program of the processes; its argument is the journal. */
  static final String PROGRAM =
      """
      #!/bin/sh
      journal=$1
      note() { echo "$(date +%s%3N) $$ $LITHOS_NAME $1" >>"$journal"; }
      for signal in HUP INT QUIT TERM USR1 USR2; do
        trap "note $signal; note end; exit 0" "$signal"
      done
      note start
      while :; do
        sleep 86400 &
        wait $!
      done
      """;

  private static final String START = "start";

  private final Path file;
  private final Set<Long> killed = new HashSet<>();

  ProcessJournal(Path file) {
    this.file = file;
  }

  /** A line. */
  record Line(long millis, long pid, String slot, String event) {
    static Line of(String text) {
      var words = text.split(" ", -1);
      return new Line(Long.parseLong(words[0]), Long.parseLong(words[1]), words[2], words[3]);
    }
  }

  Path file() {
    return file;
  }

  List<Line> lines() {
    try {
      return Files.exists(file)
          ? Files.readAllLines(file).stream().map(Line::of).toList()
          : List.of();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** The ids of the processes that exist. */
  Set<Long> running() {
    var running = new TreeSet<Long>();
    for (var line : lines()) {
      if (line.event().equals(START) && exists(line.pid())) {
        running.add(line.pid());
      }
    }
    return running;
  }

  /** Notes that the test kills all processes that exist. */
  void killing() {
    killed.addAll(running());
  }

  /** Kills a process, and notes that. */
  void kill(long pid) {
    killed.add(pid);
    Processes.kill(pid);
  }

  /** What has happened to processes that the test has not killed; empty if nothing has. */
  List<String> endings() {
    var endings = new ArrayList<String>();
    for (var line : lines()) {
      if (killed.contains(line.pid())) {
        continue;
      }
      if (!line.event().equals(START)) {
        endings.add(line.toString());
      } else if (!exists(line.pid())) {
        endings.add(line + ", which does not exist any more");
      }
    }
    return endings;
  }

  private boolean exists(long pid) {
    try {
      var words = Files.readAllBytes(Path.of("/proc/" + pid + "/cmdline"));
      return new String(words, StandardCharsets.UTF_8).contains(file.toString());
    } catch (IOException gone) {
      return false;
    }
  }
}
