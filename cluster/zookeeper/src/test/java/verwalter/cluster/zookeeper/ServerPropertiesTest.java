package verwalter.cluster.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.zookeeper.server.quorum.FastLeaderElection;
import org.junit.jupiter.api.Test;

/** Tests that ZooKeeper reads the properties, whose names it does not check. */
class ServerPropertiesTest {
  @Test
  void votesAreRepeatedEverySecond() throws Exception {
    ServerProperties.set();

    var interval = FastLeaderElection.class.getDeclaredField("maxNotificationInterval");
    interval.setAccessible(true);

    assertThat(interval.getInt(null)).isEqualTo(1_000);
  }
}
