/**
 * What each deployment did, on disk: an index, texts by role, the schedule and its backups
 * (verwalter.md 4.6, 4.7, 8). Rows, segments and what is kept are decided purely; one class writes.
 */
@NullMarked
package verwalter.deploymentlog;

import org.jspecify.annotations.NullMarked;
