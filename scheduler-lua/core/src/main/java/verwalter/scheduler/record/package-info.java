/**
 * Recorded decisions: the input, the output and the code of a scheduler's runs, in compressed files
 * that can be listed without being opened. {@link verwalter.scheduler.record.DecisionArchive}
 * stores them; {@link verwalter.scheduler.record.RecordText} and {@link
 * verwalter.scheduler.record.CodeText} define their formats, which the API uses too.
 */
@NullMarked
package verwalter.scheduler.record;

import org.jspecify.annotations.NullMarked;
