/**
 * lithos's configuration files: the YAML dialect they are written in, the records they hold, and
 * what must be true of them before a process is started. Reading gives every problem with file,
 * line and column, never just the first.
 */
@NullMarked
package verwalter.supervisor.lithos;

import org.jspecify.annotations.NullMarked;
