package verwalter.supervisor.embedded;

import java.time.Instant;

/**
 * A line of a log.
 *
 * @param time at which it had been written; the line before may have been written at any time
 *     between its own time and this
 * @param process {@code group/process.index}
 * @param text without the end of the line; characters that are not UTF-8 are replaced
 */
public record LogLine(Instant time, String process, String text) {}
