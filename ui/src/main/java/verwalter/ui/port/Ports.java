package verwalter.ui.port;

import java.util.List;
import java.util.function.Supplier;
import verwalter.cluster.ClusterView;
import verwalter.model.Decisions;
import verwalter.problems.ObjectProblem;
import verwalter.stores.api.ObjectStore;

/**
 * The ports of a server.
 *
 * @param store the objects; used on the loop
 * @param cluster the cluster as this node sees it
 * @param authors determines the author of a request's writes
 * @param decisions the recorded decisions of the scheduler
 * @param queries answers queries about the schedule; called off the loop
 * @param deployments the files of deployments
 * @param checks conditions for the readiness of this node; called on the loop
 * @param problems problems of this agent that no object states; called on the loop
 * @param metrics further metrics as OpenMetrics text; called on the loop
 * @param access how callers are known
 * @param logs the logs of the processes of this node
 * @param commands runs commands beside them
 */
public record Ports(
    ObjectStore store,
    ClusterView cluster,
    Authors authors,
    Decisions decisions,
    Queries queries,
    DeploymentHistory deployments,
    Supplier<List<Check>> checks,
    Supplier<List<ObjectProblem>> problems,
    Supplier<String> metrics,
    AccessPort access,
    ProcessLogs logs,
    CommandSessions commands) {

  /** A store and a cluster only, written to by operators. */
  public static Ports of(ObjectStore store, ClusterView cluster) {
    return new Ports(
        store,
        cluster,
        Authors.operators(store, cluster),
        Decisions.NONE,
        Queries.NONE,
        DeploymentHistory.NONE,
        List::of,
        List::of,
        () -> "",
        AccessPort.OPERATORS,
        ProcessLogs.NONE,
        CommandSessions.NONE);
  }

  /** The same with other authors. */
  public Ports withAuthors(Authors authors) {
    return new Ports(
        store,
        cluster,
        authors,
        decisions,
        queries,
        deployments,
        checks,
        problems,
        metrics,
        access,
        logs,
        commands);
  }

  /** The same with decisions, queries and deployments. */
  public Ports with(Decisions decisions, Queries queries, DeploymentHistory deployments) {
    return new Ports(
        store,
        cluster,
        authors,
        decisions,
        queries,
        deployments,
        checks,
        problems,
        metrics,
        access,
        logs,
        commands);
  }

  /** The same with checks, problems and metrics. */
  public Ports monitored(
      Supplier<List<Check>> checks,
      Supplier<List<ObjectProblem>> problems,
      Supplier<String> metrics) {
    return new Ports(
        store,
        cluster,
        authors,
        decisions,
        queries,
        deployments,
        checks,
        problems,
        metrics,
        access,
        logs,
        commands);
  }

  /** The same with other callers. */
  public Ports with(AccessPort access) {
    return new Ports(
        store,
        cluster,
        authors,
        decisions,
        queries,
        deployments,
        checks,
        problems,
        metrics,
        access,
        logs,
        commands);
  }

  /** The same with commands beside processes. */
  public Ports with(CommandSessions commands) {
    return new Ports(
        store,
        cluster,
        authors,
        decisions,
        queries,
        deployments,
        checks,
        problems,
        metrics,
        access,
        logs,
        commands);
  }

  /** The same with the logs of processes. */
  public Ports with(ProcessLogs logs) {
    return new Ports(
        store,
        cluster,
        authors,
        decisions,
        queries,
        deployments,
        checks,
        problems,
        metrics,
        access,
        logs,
        commands);
  }
}
