/**
 * What every implementation of the cluster's ports must pass, and implementations for tests that
 * are moved by hand.
 */
@NullMarked
package verwalter.cluster.testkit;

import org.jspecify.annotations.NullMarked;
