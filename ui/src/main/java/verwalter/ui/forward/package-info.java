/**
 * Forwarding of requests to the leader: which requests need it ({@link verwalter.ui.forward.Need}),
 * what a node does with one ({@link verwalter.ui.forward.Verdict}), and the transfer itself ({@link
 * verwalter.ui.forward.LeaderForwarder}).
 */
@NullMarked
package verwalter.ui.forward;

import org.jspecify.annotations.NullMarked;
