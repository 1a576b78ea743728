package verwalter.cluster;

import java.util.function.Consumer;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;

/**
 * The members of the cluster as this node sees them.
 *
 * <p>Promises:
 *
 * <ol>
 *   <li>Views have increasing numbers; a view with another set of members has another number.
 *   <li>Nodes that stay connected see the same views in the same order: the same number means the
 *       same members.
 *   <li>This node is in every view that it sees.
 *   <li>A watcher receives the present view first and then every later one, on its loop and not
 *       before {@code watch} has returned. A closed watch reports nothing.
 *   <li>No method blocks, and {@link #view} never returns an earlier view than before.
 * </ol>
 */
public interface Membership {
  /** The newest view. */
  View view();

  /** Reports the present view and every later one to {@code watcher} on {@code loop}. */
  Watch watch(Loop loop, Consumer<View> watcher);
}
