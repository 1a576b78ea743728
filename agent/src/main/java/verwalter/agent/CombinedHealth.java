package verwalter.agent;

import java.util.List;
import java.util.Optional;
import verwalter.concurrent.Watch;
import verwalter.stores.api.StoreFigures;
import verwalter.stores.api.StoreHealth;

/**
 * The health of several stores of one node.
 *
 * @param stores at least one; the revision and the epoch that are shown are those of the first
 */
record CombinedHealth(List<StoreHealth> stores) implements StoreHealth {
  CombinedHealth {
    stores = List.copyOf(stores);
  }

  @Override
  public StoreFigures figures() {
    var sum = stores.get(0).figures();
    for (var each : stores.subList(1, stores.size())) {
      var more = each.figures();
      sum =
          new StoreFigures(
              sum.objects() + more.objects(),
              sum.bytes() + more.bytes(),
              sum.limit() + more.limit(),
              sum.historyBytes() + more.historyBytes(),
              sum.revision(),
              sum.epoch(),
              sum.visited() + more.visited());
    }
    return sum;
  }

  @Override
  public Optional<String> problem() {
    return stores.stream().flatMap(each -> each.problem().stream()).findFirst();
  }

  @Override
  public Watch onProblem(Runnable listener) {
    var watches = stores.stream().map(each -> each.onProblem(listener)).toList();
    return () -> watches.forEach(Watch::close);
  }
}
