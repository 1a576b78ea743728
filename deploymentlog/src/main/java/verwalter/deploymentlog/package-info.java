/**
 * What each deployment did, on disk: an index, texts by role, the schedule and its backups. Rows,
 * segments and what is kept are decided purely; one class writes.
 */
@NullMarked
package verwalter.deploymentlog;

import org.jspecify.annotations.NullMarked;
