package verwalter.cli;

import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;
import verwalter.client.QueryParameters;

/**
 * The lines that {@code vw logs} asks a node for.
 *
 * @param process with its number, such as {@code web.0}; empty for all of the group
 * @param tail number of the last lines of each instance; empty for all
 * @param since only lines since then
 * @param previous the run before the last start
 * @param all also instances that are not wanted any more
 */
record LogRequest(
    Optional<String> process,
    Optional<Integer> tail,
    Optional<Instant> since,
    boolean previous,
    boolean all) {
  private static final Pattern PROCESS = Pattern.compile("[A-Za-z0-9_-]+(\\.\\d+)?");

  /** Whether the text names a process, with or without a number. */
  static boolean isProcess(String text) {
    return PROCESS.matcher(text).matches();
  }

  /** The same from a time on. */
  LogRequest since(Instant time) {
    return new LogRequest(process, Optional.empty(), Optional.of(time), false, all);
  }

  /** The path at the API for the group on a node. */
  String path(String group, String node, boolean follow) {
    var query = QueryParameters.NONE.with("node", node);
    if (tail.isPresent()) {
      query = query.with("tailLines", String.valueOf(tail.get()));
    }
    if (since.isPresent()) {
      query = query.with("sinceTime", since.get().toString());
    }
    if (previous) {
      query = query.with("previous", "true");
    }
    if (all) {
      query = query.with("all", "true");
    }
    if (follow) {
      query = query.with("follow", "true");
    }
    return "/v1/logs/"
        + QueryParameters.segment(group)
        + process.map(it -> "/" + QueryParameters.segment(it)).orElse("")
        + query;
  }
}
