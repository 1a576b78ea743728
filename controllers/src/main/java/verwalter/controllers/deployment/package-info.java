/**
 * Prepares the releases of one node: fetches the archive of each deployment ref, unpacks it, and
 * removes both when nobody needs them.
 *
 * <p>A pass over a ref asks the disk ({@link verwalter.controllers.deployment.ReleaseFiles}) and
 * the works in progress ({@link verwalter.controllers.deployment.WorkPool}) what there is, names
 * one {@link verwalter.controllers.deployment.DeploymentEvent}, looks up the {@link
 * verwalter.controllers.deployment.DeploymentTable}, writes the status, and acts. So a pass makes
 * one step, and a crash between two steps loses nothing but the work of a worker.
 */
@NullMarked
package verwalter.controllers.deployment;

import org.jspecify.annotations.NullMarked;
