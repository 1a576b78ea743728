package verwalter.agent;

import java.time.Duration;
import verwalter.cluster.zookeeper.ServerTimes;

/** How soon another node leads after the leader of a cluster was lost. */
enum Failover {
  /** After about 4 seconds. A pause of 1.5 seconds does not change the leader. */
  normal,

  /** After about 2 seconds. A pause of half a second can change the leader. */
  fast;

  /** The times of a node's server of the log. */
  ServerTimes times() {
    return this == fast ? ServerTimes.SHORT : ServerTimes.NORMAL;
  }

  /** The session of a node at the servers, which is the lease of the leader. */
  Duration session() {
    return this == fast ? Duration.ofSeconds(1) : Duration.ofMillis(2400);
  }
}
