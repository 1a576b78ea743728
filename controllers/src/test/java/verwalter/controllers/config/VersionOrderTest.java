package verwalter.controllers.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class VersionOrderTest {
  @Test
  void numbersSortByValueAndCandidatesBeforeReleases() {
    var sorted =
        List.of("v1", "1.0", "v1.0", "v1.2.rc1", "v1.2.3", "1.5", "v1.10", "v2", "v2.0", "v10");
    for (int seed = 0; seed < 20; seed++) {
      var shuffled = new ArrayList<>(sorted);
      Collections.shuffle(shuffled, new Random(seed));
      shuffled.sort(VersionOrder.OLDEST_FIRST);
      assertThat(shuffled).isEqualTo(sorted);
    }
  }
}
