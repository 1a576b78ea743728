package verwalter.supervisor.embedded;

import java.util.List;
import java.util.Map;

/**
 * How the command of a probe is started: in the cgroups of its process, so that it and what it
 * leaves have the limits of the process and end with it, and with its user and rights.
 *
 * @param words before the command line
 * @param environment variables in addition to those of the process
 */
public record ProbeLaunch(List<String> words, Map<String, String> environment) {
  public ProbeLaunch {
    words = List.copyOf(words);
    environment = Map.copyOf(environment);
  }
}
