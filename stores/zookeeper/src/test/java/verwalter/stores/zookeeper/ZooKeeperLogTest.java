package verwalter.stores.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.stores.replicatedkit.Ensemble;
import verwalter.stores.replicatedkit.ReplicatedLogContract;

class ZooKeeperLogTest extends ReplicatedLogContract {
  @TempDir private Path directory;

  @Override
  protected Ensemble newEnsemble() {
    return new ServerEnsemble(directory);
  }

  @Test
  void blockIsRemovableIfItsSuccessorBeginsAtMostBehindTheLimit() {
    var names = List.of("0005", "0001", "0003");
    assertThat(ZooKeeperLog.removable(names, 1)).isEmpty();
    assertThat(ZooKeeperLog.removable(names, 2)).containsExactly("0001");
    assertThat(ZooKeeperLog.removable(names, 3)).containsExactly("0001");
    assertThat(ZooKeeperLog.removable(names, 4)).containsExactly("0001", "0003");
    assertThat(ZooKeeperLog.removable(names, 400)).containsExactly("0001", "0003");
  }
}
