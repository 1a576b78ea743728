/**
 * lithos's configuration files: their YAML dialect, their records, and the checks before a process
 * is started. Parsing reports all problems with file, line and column.
 */
@NullMarked
package verwalter.supervisor.lithos;

import org.jspecify.annotations.NullMarked;
