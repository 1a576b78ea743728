package verwalter.e2e.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/** The last things that happened in a simulation, for the message of its failure. */
final class SimulationTrace {
  private static final int MOST = 60;

  private final Deque<String> last = new ArrayDeque<>();
  private Supplier<Object> clock = () -> "";

  /** Begins each later note with the time. */
  void begin(Supplier<Object> time) {
    clock = time;
  }

  void note(String what) {
    if (last.size() == MOST) {
      last.removeFirst();
    }
    last.add(clock.get() + " " + what);
  }

  @Override
  public String toString() {
    return String.join("\n", last);
  }
}
