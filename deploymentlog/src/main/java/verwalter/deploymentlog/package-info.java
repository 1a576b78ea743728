/**
 * The logs of deployments on disk: an index, texts by role, the schedule and its backups. Formats,
 * segments and retention are computed by pure functions; one class writes files.
 */
@NullMarked
package verwalter.deploymentlog;

import org.jspecify.annotations.NullMarked;
