/**
 * What this node measures: the machine, its processes, and what the processes say of themselves.
 * One hour of it is kept in bounded memory, and the rules of a schedule's {@code query_metrics} are
 * answered from there. Everything but {@link verwalter.controllers.metrics.Metrics} and the readers
 * of {@code /proc} is pure.
 */
@NullMarked
package verwalter.controllers.metrics;

import org.jspecify.annotations.NullMarked;
