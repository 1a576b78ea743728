/** The cluster of a node that is alone: it is the only member, leads for ever, and hears itself. */
@NullMarked
package verwalter.cluster.single;

import org.jspecify.annotations.NullMarked;
