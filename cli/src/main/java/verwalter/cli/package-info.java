/**
 * {@code vw}, the command line: the manners of kubectl over the agent's HTTP API. It talks to
 * agents through {@code client} only, and runs schedulers itself with {@code scheduler-lua}
 * (decision 0008). {@link verwalter.cli.Vw} is the only place that uses the process (streams,
 * environment, clock); each {@link verwalter.cli.Verb} gets them as a {@link
 * verwalter.cli.Environment}.
 */
@NullMarked
package verwalter.cli;

import org.jspecify.annotations.NullMarked;
