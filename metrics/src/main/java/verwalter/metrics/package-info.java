/**
 * Metrics of one node: of the machine, of its processes, and those that processes publish. Keeps
 * one hour of them in bounded memory and answers the rules of a schedule's {@code query_metrics}
 * from it. Everything except {@link verwalter.metrics.Metrics}, the scraper and the readers of
 * {@code /proc} is pure. Only the agent depends on this module, which can be left out.
 */
@NullMarked
package verwalter.metrics;

import org.jspecify.annotations.NullMarked;
