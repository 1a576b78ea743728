package verwalter.ui.port;

import java.util.List;
import java.util.function.Supplier;
import verwalter.cluster.ClusterView;
import verwalter.stores.api.ObjectStore;

/**
 * What a server shows and changes.
 *
 * @param store the objects; asked on the loop
 * @param cluster the cluster as this node sees it
 * @param authors gives the author of what a request writes
 * @param decisions what the scheduler has decided so far
 * @param queries answers what is asked of the schedule; asked off the loop
 * @param deployments files that deployments leave
 * @param checks what has to pass before this node is ready; asked on the loop
 * @param metrics further metrics as OpenMetrics text; asked on the loop
 */
public record Ports(
    ObjectStore store,
    ClusterView cluster,
    Authors authors,
    Decisions decisions,
    Queries queries,
    Deployments deployments,
    Supplier<List<Check>> checks,
    Supplier<String> metrics) {

  /** A store and a cluster with nothing else, written to by operators. */
  public static Ports of(ObjectStore store, ClusterView cluster) {
    return new Ports(
        store,
        cluster,
        Authors.operators(store, cluster),
        Decisions.NONE,
        Queries.NONE,
        Deployments.NONE,
        List::of,
        () -> "");
  }

  /** The same with other authors. */
  public Ports withAuthors(Authors authors) {
    return new Ports(store, cluster, authors, decisions, queries, deployments, checks, metrics);
  }

  /** The same with what was decided, asked and deployed. */
  public Ports with(Decisions decisions, Queries queries, Deployments deployments) {
    return new Ports(store, cluster, authors, decisions, queries, deployments, checks, metrics);
  }

  /** The same with what monitors ask for. */
  public Ports monitored(Supplier<List<Check>> checks, Supplier<String> metrics) {
    return new Ports(store, cluster, authors, decisions, queries, deployments, checks, metrics);
  }
}
