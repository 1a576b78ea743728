package verwalter.cluster.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Tests how the files of an elector are named in messages. */
class ElectorFilesTest {
  @Test
  void areNamedByTheirDirectory() {
    assertThat(new ElectorFiles(Path.of("/storage/zookeeper"))).hasToString("/storage/zookeeper");
  }
}
