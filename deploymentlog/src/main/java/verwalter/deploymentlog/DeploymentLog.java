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
import verwalter.model.json.Json;
import verwalter.render.LogPiece;

/**
 * Writes the logs of deployments. Blocks while it writes. A log that cannot be written is reported,
 * and never stops a deployment. Calls must be made one at a time; {@link Deployments} does.
 */
public final class DeploymentLog {
  private static final String INDEX = ".index";
  private static final String GLOBAL = ".global";
  private static final String CHANGES = ".changes";

  /** The longest text of variables that is written whole, in characters. */
  private static final int MOST_VARIABLES = 1 << 20;

  /** How much of the index of a day is looked at for what is unfinished, in bytes. */
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
   * Logs in a directory that exists.
   *
   * @param problems hears why nothing can be written, once until something can again
   */
  public static DeploymentLog in(
      Path directory, InstantSource clock, Retention retention, Consumer<String> problems) {
    return new DeploymentLog(new LocalLogDisk(directory), clock, retention, problems);
  }

  /** Logs that are printed, as in a dry run. */
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

  /** Says that a deployment begins; saying so again does nothing. */
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
   * Says that a deployment has ended, and makes room.
   *
   * @param debug what the scheduler said; written if its schedule was new
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

  /**
   * Says that a deployment was given up, as the agent does with those that are not at their end.
   */
  public void abandon() {
    for (var id : open) {
      attempt(() -> endRow(id, Marker.DEPLOYMENT_ERROR));
    }
    open.clear();
  }

  /**
   * Says of the deployments that a process before this one left without their end, as when it was
   * killed, that they were given up. Call it before the first one begins.
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

  /** The end of the index: of the last day with rows, and the one before in case of midnight. */
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

  /** Says that a role is being rendered with these variables. */
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

  /** Writes what a role's rendering did. */
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

  /** The segment to write now, to which {@code latest} points then. */
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
