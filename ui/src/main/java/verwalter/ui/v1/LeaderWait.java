package verwalter.ui.v1;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import verwalter.cluster.ClusterView;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;

/** The requests that wait until this node knows a leader. Belongs to the loop. */
final class LeaderWait {
  private final ClusterView cluster;
  private final Loop loop;
  private final Set<Promise<Optional<ClusterView.Member>>> waiting = new LinkedHashSet<>();

  /** Follows the leader while a request waits. */
  private @Nullable Watch watch;

  LeaderWait(ClusterView cluster, Loop loop) {
    this.cluster = cluster;
    this.loop = loop;
  }

  /** The leader; empty if there is none in this time, or the client has closed its connection. */
  Future<Optional<ClusterView.Member>> leader(Duration patience, RoutingContext context) {
    var leader = cluster.leader();
    if (leader.isPresent()) {
      return Future.succeededFuture(leader);
    }
    var found = Promise.<Optional<ClusterView.Member>>promise();
    var timer = loop.after(patience, () -> end(found, Optional.empty()));
    context.addEndHandler(gone -> loop.execute(() -> end(found, Optional.empty())));
    waiting.add(found);
    if (watch == null) {
      watch = cluster.watchLeader(loop, this::changed);
    }
    return found.future().onComplete(any -> timer.cancel());
  }

  private void changed() {
    var leader = cluster.leader();
    if (leader.isPresent()) {
      List.copyOf(waiting).forEach(each -> end(each, leader));
    }
  }

  private void end(
      Promise<Optional<ClusterView.Member>> found, Optional<ClusterView.Member> leader) {
    if (waiting.remove(found)) {
      if (waiting.isEmpty() && watch != null) {
        watch.close();
        watch = null;
      }
      found.complete(leader);
    }
  }
}
