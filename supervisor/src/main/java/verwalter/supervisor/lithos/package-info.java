/**
 * lithos's configuration files: the YAML dialect they are written in, the records they hold, and
 * what must be true of them before a process is started (lithos.md 2 to 5, 7, 12). Reading gives
 * every problem with file, line and column, never just the first.
 */
@NullMarked
package verwalter.supervisor.lithos;

import org.jspecify.annotations.NullMarked;
