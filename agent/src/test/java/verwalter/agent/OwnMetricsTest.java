package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import verwalter.model.Version;
import verwalter.stores.api.StoreFigures;

class OwnMetricsTest {
  @Test
  void metricsOfTheStoreIncludeItsLimit() {
    var figures = new StoreFigures(3, 4000, 9000, 1000, Version.of(28_000_000, 17), 28_000_000, 42);
    assertThat(OwnMetrics.of(List.of(), figures))
        .contains(
            "# HELP verwalter_store_bytes Estimated memory of objects, indexes and history.\n")
        .contains("verwalter_store_objects 3\n")
        .contains("verwalter_store_bytes 4000\n")
        .contains("verwalter_store_limit_bytes 9000\n")
        .contains("verwalter_store_history_bytes 1000\n")
        .contains("verwalter_store_revision 17\n")
        .contains("verwalter_store_epoch 28000000\n")
        .contains("verwalter_store_visited_total 42\n");
  }
}
