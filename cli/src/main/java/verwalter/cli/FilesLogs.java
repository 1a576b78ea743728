package verwalter.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import verwalter.cli.print.TextTable;
import verwalter.client.ApiException;
import verwalter.client.QueryParameters;
import verwalter.client.json.PlainJson;

/**
 * {@code vw files logs}: prints the output of a deployment of a role on the node of the server,
 * from the log of that role.
 */
final class FilesLogs {
  private static final String LOG = "/v1/log/";

  /** The ids that are letters, digits and dashes, and so are safe as a segment of a path. */
  private static final Pattern SEGMENT = Pattern.compile("[0-9A-Za-z-]{1,40}");

  private final Session session;
  private final String role;

  FilesLogs(Session session, String role) {
    this.session = session;
    this.role = role;
  }

  /**
   * One rendering of the role.
   *
   * @param text whole lines; the first holds the start time
   */
  record Run(String deployment, List<String> text) {

    /** The renderings in a log of the role, oldest first. */
    static List<Run> in(String log, String role) {
      var begin =
          Pattern.compile("\\S+ (\\S+) -{12} " + Pattern.quote(role) + ": RoleStart -{11} ?");
      var runs = new ArrayList<Run>();
      for (var line : log.lines().toList()) {
        var found = begin.matcher(line);
        if (found.matches()) {
          runs.add(new Run(found.group(1), new ArrayList<>()));
        }
        if (!runs.isEmpty()) {
          runs.get(runs.size() - 1).text().add(line);
        }
      }
      return runs;
    }
  }

  /** Selects the renderings to print; empty if there is none. */
  private interface Choice {
    List<Run> from(List<Run> runs);
  }

  /** Prints the last deployment, or the one before it. */
  Exit newest(boolean previous) throws IOException {
    int back = previous ? 2 : 1;
    return show(
        runs -> runs.size() < back ? List.of() : List.of(runs.get(runs.size() - back)),
        Failure.error(
            "no %2$sdeployment of role \"%1$s\" is recorded"
                .formatted(role, previous ? "previous " : ""),
            previous ? "vw files logs " + role : "vw why " + role));
  }

  /** Prints the deployment with the id, or the only one whose id begins with it. */
  Exit of(String deployment) throws IOException {
    return show(
        runs -> unique(runs, deployment),
        Failure.error(
            "deployment \"%s\" of role \"%s\" is neither in the role's log nor in the newest index"
                .formatted(deployment, role),
            "the last deployment: vw files logs "
                + role
                + "; older ones are in the agent's --log-dir on its node"));
  }

  private static List<Run> unique(List<Run> runs, String deployment) {
    var found = runs.stream().filter(run -> run.deployment().startsWith(deployment)).toList();
    var ids = found.stream().map(Run::deployment).distinct().toList();
    if (ids.size() > 1) {
      throw Failure.error(
          "more than one deployment begins with \"%s\": %s"
              .formatted(deployment, String.join(", ", ids)),
          "");
    }
    return found;
  }

  private Exit show(Choice choice, Failure otherwise) throws IOException {
    var chosen = choice.from(latest());
    if (chosen.isEmpty()) {
      chosen = choice.from(older()); // an empty log follows a full one
    }
    if (chosen.isEmpty()) {
      throw otherwise;
    }
    for (var run : chosen) {
      run.text().forEach(line -> session.println(TextTable.clean(line)));
    }
    return Exit.OK;
  }

  private List<Run> latest() throws IOException {
    var log =
        read("role/" + name(role) + "/latest")
            .orElseThrow(
                () ->
                    Failure.error(
                        "no deployment of role \"%s\" is recorded at %s"
                            .formatted(role, session.server()),
                        "see where it runs: vw why " + role));
    return Run.in(log, role);
  }

  /** The renderings in all logs that the newest index refers to. */
  private List<Run> older() throws IOException {
    var segments = new LinkedHashSet<String>();
    for (var row : read("index/latest").orElse("").lines().toList()) {
      segment(row).ifPresent(segments::add);
    }
    var runs = new ArrayList<Run>();
    for (var segment : segments) {
      var log = read("role/%s/log.%s.txt".formatted(name(role), segment));
      runs.addAll(Run.in(log.orElse(""), role));
    }
    return runs;
  }

  /** The log of this role that a row of the index refers to. */
  private Optional<String> segment(String row) {
    try {
      if (PlainJson.read(row.getBytes(StandardCharsets.UTF_8)) instanceof List<?> fields
          && fields.size() > 2) {
        var place = PlainJson.list(fields.get(2), "fields");
        return Optional.of(place)
            .filter(it -> it.size() > 2 && role.equals(it.get(0)))
            .map(it -> String.valueOf(it.get(1)))
            .filter(SEGMENT.asMatchPredicate());
      }
    } catch (IOException torn) {
      // A crash cut the row off.
    }
    return Optional.empty();
  }

  private static String name(String role) {
    return QueryParameters.segment(role);
  }

  /** The text of a page; empty if there is none. */
  private Optional<String> read(String path) throws IOException {
    try {
      return Optional.of(new String(session.api().bytes(LOG + path), StandardCharsets.UTF_8));
    } catch (ApiException refused) {
      if (refused.code() == 404) {
        return Optional.empty();
      }
      throw refused;
    }
  }
}
