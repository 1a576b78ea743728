package verwalter.render.apply;

import java.util.List;
import java.util.Optional;

/** Runs the programs that recipes name, one at a time, and waits for them. */
public interface Programs {

  /** Runs a program found in {@code PATH}. Never throws because of the program's failure. */
  Outcome run(List<String> argv);

  /** Runs it as root: directly, or with {@code sudo -n} if this is another user. */
  Outcome runAsRoot(List<String> argv);

  /** The result of a program. */
  sealed interface Outcome {

    /** Its stdout and stderr, in order, truncated to a limit. */
    String output();

    /** The cause of the failure; absent after exit code 0. */
    Optional<String> problem();

    /** It ran and exited. A signal counts as exit code 128 + its number. */
    record Exited(int code, String output) implements Outcome {
      @Override
      public Optional<String> problem() {
        return code == 0 ? Optional.empty() : Optional.of("exit code " + code);
      }
    }

    /** It was killed with its process group, for this reason. */
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
