package verwalter.agent;

import java.util.List;
import verwalter.render.apply.Programs;

/** Programs during which no alarm rings: each has a limit of its own. */
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
