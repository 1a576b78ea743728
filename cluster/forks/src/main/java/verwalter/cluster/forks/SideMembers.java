package verwalter.cluster.forks;

import java.util.Optional;
import verwalter.cluster.View;
import verwalter.concurrent.Watch;

/** The nodes that this node reaches. Methods do not block. */
public interface SideMembers {
  /** Begins to look for other nodes, or stops it. Called again and again. */
  void want(boolean wanted);

  /** Calls the listener on the loop of the side when {@link #view} has changed. */
  Watch watch(Runnable listener);

  /** The present view; empty if it is not known. */
  Optional<View> view();
}
