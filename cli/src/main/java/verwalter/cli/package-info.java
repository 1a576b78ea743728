/**
 * {@code vw}, the command line: kubectl's manners over the agent's HTTP API, and nothing else of
 * Verwalter on its class path. {@link verwalter.cli.Vw} is the only place that touches the process
 * (streams, environment, clock); each {@link verwalter.cli.Verb} gets them as a {@link
 * verwalter.cli.Environment}.
 */
@NullMarked
package verwalter.cli;

import org.jspecify.annotations.NullMarked;
