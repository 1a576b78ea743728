/**
 * Contract tests for implementations of the cluster's ports, and implementations that tests
 * control.
 */
@NullMarked
package verwalter.cluster.testkit;

import org.jspecify.annotations.NullMarked;
