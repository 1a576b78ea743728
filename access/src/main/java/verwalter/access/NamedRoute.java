package verwalter.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import verwalter.model.AccessRule.Grant;

/** A group of routes that is not about objects of one kind. */
public enum NamedRoute {
  /** Whether the process runs; for everybody. */
  HEALTH(Optional.empty()),
  /** What the API offers; for every caller who may do anything. */
  DISCOVERY(Optional.empty()),
  /** What the caller may do; for every caller. */
  SELF(Optional.empty()),
  /** The web page. */
  PAGE(Optional.of(Grant.VIEWER)),
  /** The state of the node and of the cluster. */
  STATUS(Optional.of(Grant.VIEWER)),
  /** Metrics of the agent and of the nodes. */
  METRICS(Optional.of(Grant.VIEWER)),
  /** The recorded decisions of the scheduler. */
  DECISIONS(Optional.of(Grant.VIEWER)),
  /** Questions to the scheduler's query interface. */
  QUERIES(Optional.of(Grant.VIEWER)),
  /** Logs of deployments and of processes, and backups of the schedule. */
  LOGS(Optional.of(Grant.VIEWER)),
  /** Render all roles of a node again. */
  RENDERING(Optional.of(Grant.OPERATOR)),
  /** Run commands as the processes of a node. */
  EXEC(Optional.of(Grant.ADMIN)),
  /** Found a cluster, which answers with the credentials of an admin. */
  FOUNDING(Optional.of(Grant.ADMIN)),
  /** The audit log. */
  AUDIT(Optional.of(Grant.ADMIN));

  private final Optional<Grant> grant;

  NamedRoute(Optional<Grant> grant) {
    this.grant = grant;
  }

  /** The word in rules and messages, such as {@code logs}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The route of a word, ignoring case. */
  public static Optional<NamedRoute> of(String word) {
    return Arrays.stream(values()).filter(it -> it.name().equalsIgnoreCase(word)).findFirst();
  }

  /** The grant that a caller needs; empty for the routes that need none. */
  public Optional<Grant> grant() {
    return grant;
  }
}
