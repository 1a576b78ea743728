/** The replicated log in Apache ZooKeeper. */
@NullMarked
package verwalter.stores.zookeeper;

import org.jspecify.annotations.NullMarked;
