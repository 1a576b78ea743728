package verwalter.deploymentlog;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import verwalter.deploymentlog.LogDisk.LogFile;
import verwalter.files.FileAccess;
import verwalter.model.json.Json;
import verwalter.render.LogPiece;

/**
 * Writes the logs of deployments. Blocks on disk I/O. Write errors are reported and do not stop a
 * deployment. Not thread-safe; {@link Deployments} serializes calls.
 */
public final class DeploymentLog {
  static final String INDEX = ".index";
  private static final String GLOBAL = ".global";
  private static final String CHANGES = ".changes";

  /** The limit of the text of variables in characters; a longer text is truncated. */
  private static final int MOST_VARIABLES = 1 << 20;

  /** How much of the index of a day is searched for unfinished deployments, in bytes. */
  private static final int LAST_ROWS = 2 << 20;

  private static final String KILLED = "ERROR: the agent ended before this deployment did\n";

  private final LogDisk disk;
  private final InstantSource clock;
  private final Retention retention;
  private final Consumer<String> problems;

  /** Deployments that have begun and not ended. */
  private final Set<String> open = new HashSet<>();

  private boolean failing;

  DeploymentLog(LogDisk disk, InstantSource clock, Retention retention, Consumer<String> problems) {
    this.disk = disk;
    this.clock = clock;
    this.retention = retention;
    this.problems = problems;
  }

  /**
   * Creates logs in an existing directory.
   *
   * @param access who may read the logs, also those of an earlier agent. They contain variables of
   *     templates and output of commands
   * @param problems receives the error when writing fails, once until it succeeds again
   */
  public static DeploymentLog in(
      Path directory,
      FileAccess access,
      InstantSource clock,
      Retention retention,
      Consumer<String> problems) {
    var disk = new LocalLogDisk(directory, access);
    var log = new DeploymentLog(disk, clock, retention, problems);
    log.attempt(disk::restrict);
    return log;
  }

  /** Creates logs that are printed, for a dry run. */
  public static DeploymentLog printed(PrintStream out, InstantSource clock, Retention retention) {
    return new DeploymentLog(new PrintedLog(out), clock, retention, problem -> {});
  }

  private interface Writing {
    void write() throws IOException;
  }

  private void attempt(Writing writing) {
    try {
      writing.write();
      failing = false;
    } catch (IOException failure) {
      if (!failing) {
        failing = true;
        problems.accept("deployment logs cannot be written: " + failure);
      }
    }
  }

  /** Logs the beginning of a deployment. A second call has no effect. */
  public void begin(Deployment deployment) {
    if (open.add(deployment.id())) {
      attempt(() -> writeBegin(deployment));
    }
  }

  private void writeBegin(Deployment deployment) throws IOException {
    var now = clock.instant();
    var id = deployment.id();
    var text =
        Rows.global(now, id, Marker.DEPLOYMENT_START)
            + "schedule-hash: "
            + deployment.schedule()
            + "\n";
    index(id, global(text), Marker.DEPLOYMENT_START);
    if (deployment.fresh() && !deployment.changes().isEmpty()) {
      var segment = segment(CHANGES);
      var changes = Rows.changes(now, deployment.schedule(), deployment.changes());
      long offset = disk.append(CHANGES, Segments.file(segment), changes);
      index(id, new Pointer.Changes(segment, offset), Marker.DEPLOYMENT_CHANGES);
    }
  }

  /**
   * Logs the end of a deployment, and removes obsolete files.
   *
   * @param debug the log of the scheduler; written if its schedule is new
   */
  public void end(Deployment deployment, String debug) {
    begin(deployment);
    open.remove(deployment.id());
    attempt(
        () -> {
          var framed = deployment.fresh() ? Rows.framed("scheduler-debug", debug) : "";
          if (!framed.isEmpty()) {
            global(framed);
          }
          endRow(deployment.id(), Marker.DEPLOYMENT_FINISH);
          for (var file : retention.obsolete(disk.files(), clock.instant())) {
            disk.remove(file);
          }
        });
  }

  /** Logs that all open deployments were aborted because the agent ends. */
  public void abandon() {
    for (var id : open) {
      attempt(() -> endRow(id, Marker.DEPLOYMENT_ERROR));
    }
    open.clear();
  }

  /**
   * Logs that the unfinished deployments of a previous process were aborted, for example because it
   * was killed. Call before the first deployment begins.
   */
  public void abandonUnfinished() {
    attempt(
        () -> {
          for (var id : Unfinished.among(lastRows())) {
            var row = Rows.global(clock.instant(), id, Marker.DEPLOYMENT_ERROR);
            index(id, global(row + KILLED), Marker.DEPLOYMENT_ERROR);
          }
        });
  }

  /**
   * The last rows of the index: of the last two days with rows, because of deployments over
   * midnight.
   */
  private List<String> lastRows() throws IOException {
    var days =
        disk.files().stream()
            .filter(file -> file.directory().equals(INDEX))
            .sorted(Comparator.comparing(LogFile::name))
            .toList();
    var rows = new ArrayList<String>();
    for (var day : days.subList(Math.max(0, days.size() - 2), days.size())) {
      disk.tail(day, LAST_ROWS).lines().forEach(rows::add);
    }
    return rows;
  }

  private void endRow(String id, Marker marker) throws IOException {
    index(id, global(Rows.global(clock.instant(), id, marker)), marker);
  }

  /** Logs the beginning of a role's rendering and its variables. */
  public void beginRole(Deployment deployment, String role, Object variables) {
    begin(deployment);
    attempt(
        () -> {
          var text = Json.canonical(variables);
          var shown =
              text.length() <= MOST_VARIABLES
                  ? text
                  : text.substring(0, MOST_VARIABLES) + "... (cut)";
          role(deployment.id(), role, Marker.ROLE_START, "Template variables: " + shown + "\n");
        });
  }

  /** Logs the result of a role's rendering. */
  public void endRole(Deployment deployment, String role, List<LogPiece> pieces) {
    begin(deployment);
    attempt(
        () -> {
          for (var piece : pieces) {
            piece(deployment.id(), role, piece);
          }
          role(deployment.id(), role, Marker.ROLE_FINISH, "");
        });
  }

  private void piece(String id, String role, LogPiece piece) throws IOException {
    if (piece.recipe().isEmpty()) {
      disk.append(role, Segments.file(segment(role)), piece.text());
      return;
    }
    role(id, role, Marker.actionStart(piece.recipe()), piece.text());
    for (var log : piece.externalLogs()) {
      index(id, new Pointer.External(log.name(), log.position()), Marker.EXTERNAL_LOG);
    }
    role(id, role, Marker.actionFinish(piece.recipe()), "");
  }

  private void role(String id, String role, Marker marker, String rest) throws IOException {
    var segment = segment(role);
    var row = Rows.role(clock.instant(), id, role, marker);
    long offset = disk.append(role, Segments.file(segment), row + rest);
    index(id, new Pointer.Role(role, segment, offset), marker);
  }

  private Pointer global(String text) throws IOException {
    var segment = segment(GLOBAL);
    return new Pointer.Global(segment, disk.append(GLOBAL, Segments.file(segment), text));
  }

  /** Returns the segment to write, and points {@code latest} to it. */
  private String segment(String directory) throws IOException {
    var latest = disk.latest(directory);
    var segment = Segments.next(latest, clock.instant());
    var file = Segments.file(segment);
    if (latest.isEmpty() || !latest.get().name().equals(file)) {
      // The file first: latest never leads nowhere.
      disk.append(directory, file, "");
      disk.point(directory, file);
    }
    return segment;
  }

  private void index(String id, Pointer pointer, Marker marker) throws IOException {
    var now = clock.instant();
    var file = Rows.indexFile(now);
    disk.append(INDEX, file, Rows.index(now, id, pointer, marker));
    disk.point(INDEX, file);
  }
}
