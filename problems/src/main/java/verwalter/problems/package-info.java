/**
 * The problems of a cluster, computed from its objects. The status page, the HTTP API, {@code vw
 * status} and the log of the agent all show the answer of {@link verwalter.problems.Diagnosis}.
 */
@NullMarked
package verwalter.problems;

import org.jspecify.annotations.NullMarked;
