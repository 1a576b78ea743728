/** A cluster of a single node, which is always the leader. */
@NullMarked
package verwalter.cluster.single;

import org.jspecify.annotations.NullMarked;
