package verwalter.agent;

import java.util.List;
import verwalter.render.apply.Programs;

/** Runs programs without an alarm, since each has a separate time limit. */
record WatchedPrograms(Programs programs, Alarms alarms) implements Programs {
  @Override
  public Outcome run(List<String> argv) {
    return alarms.resting(() -> programs.run(argv));
  }

  @Override
  public Outcome runAsRoot(List<String> argv) {
    return alarms.resting(() -> programs.runAsRoot(argv));
  }
}
