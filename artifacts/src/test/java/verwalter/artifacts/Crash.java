package verwalter.artifacts;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A machine that stops before one step. Nothing happens to its disk afterwards. */
final class Crash implements DiskSteps {
  private final int last;
  private final List<String> trace = new ArrayList<>();
  private int seen;

  /** The program has ended; no code runs after that. */
  static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private Crash(int last) {
    this.last = last;
  }

  static Crash before(int step) {
    return new Crash(step);
  }

  static Crash never() {
    return new Crash(Integer.MAX_VALUE);
  }

  @Override
  public synchronized void before(String step, Path path) {
    if (seen >= last) {
      throw new Stopped();
    }
    seen++;
    trace.add(step + " " + path);
  }

  int steps() {
    return seen;
  }

  List<String> trace() {
    return trace;
  }
}
