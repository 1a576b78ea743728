package verwalter.render.apply;

import java.util.List;
import java.util.Optional;

/** Runs the programs that recipes name, one at a time, and waits for them. */
public interface Programs {

  /** Runs a program found through {@code PATH}; never throws for what the program does. */
  Outcome run(List<String> argv);

  /** The same as root: directly, or through {@code sudo -n} when this is another user. */
  Outcome runAsRoot(List<String> argv);

  /** How a program ended. */
  sealed interface Outcome {

    /** What it wrote to stdout and stderr, in order, cut to a bound. */
    String output();

    /** What went wrong, in words; absent after exit code 0. */
    Optional<String> problem();

    /** It ran and ended. A signal counts as exit code 128 + its number. */
    record Exited(int code, String output) implements Outcome {
      @Override
      public Optional<String> problem() {
        return code == 0 ? Optional.empty() : Optional.of("exit code " + code);
      }
    }

    /** It was killed with its whole process group, for this reason. */
    record Killed(String reason, String output) implements Outcome {
      @Override
      public Optional<String> problem() {
        return Optional.of("killed: " + reason);
      }
    }

    /** It could not be started. */
    record NotStarted(String reason) implements Outcome {
      @Override
      public String output() {
        return "";
      }

      @Override
      public Optional<String> problem() {
        return Optional.of("cannot be started: " + reason);
      }
    }
  }
}
