/**
 * The part of a cluster that lies in Apache ZooKeeper: the embedded server of an elector, and the
 * leadership.
 */
@NullMarked
package verwalter.cluster.zookeeper;

import org.jspecify.annotations.NullMarked;
