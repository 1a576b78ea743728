/**
 * {@code vw}, the command line: the conventions of kubectl over the agent's HTTP API. It talks to
 * agents only through {@code client}, and runs schedulers with {@code scheduler-lua} (decision
 * 0008). Only {@link verwalter.cli.Vw} uses the process (streams, environment, clock); each {@link
 * verwalter.cli.Verb} gets these as a {@link verwalter.cli.Environment}.
 */
@NullMarked
package verwalter.cli;

import org.jspecify.annotations.NullMarked;
