/** The nodes that reach each other, found by JGroups over TCP with mutual TLS. */
@NullMarked
package verwalter.cluster.jgroups;

import org.jspecify.annotations.NullMarked;
