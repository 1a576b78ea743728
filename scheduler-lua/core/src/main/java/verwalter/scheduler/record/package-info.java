/**
 * Decisions on record: what a scheduler was given, what it answered and the code it answered with,
 * in compressed files that can be listed without being opened. {@link
 * verwalter.scheduler.record.DecisionArchive} keeps them; {@link
 * verwalter.scheduler.record.RecordText} and {@link verwalter.scheduler.record.CodeText} are their
 * form, which also travels.
 */
@NullMarked
package verwalter.scheduler.record;

import org.jspecify.annotations.NullMarked;
