/**
 * Mirrors of node objects. Each node is the master of its node objects and sends their changes to
 * the leader ({@link verwalter.cluster.mirror.NodeFeed}), which keeps the objects of all nodes in
 * memory ({@link verwalter.cluster.mirror.Mirrors}) and forwards writes to the node. The same
 * connection carries the node's heartbeats.
 */
@NullMarked
package verwalter.cluster.mirror;

import org.jspecify.annotations.NullMarked;
