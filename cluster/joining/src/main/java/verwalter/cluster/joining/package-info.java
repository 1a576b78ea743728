/**
 * How a machine becomes a member of a cluster, and how members get new certificates. {@code
 * JoinDecision} decides purely; {@code JoinDesk} applies its decisions to the store; {@code
 * ClusterServer} and {@code ClusterClient} transfer requests by mutual TLS.
 */
@NullMarked
package verwalter.cluster.joining;

import org.jspecify.annotations.NullMarked;
