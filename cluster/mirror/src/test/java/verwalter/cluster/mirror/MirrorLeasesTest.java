package verwalter.cluster.mirror;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import verwalter.cluster.Leases;
import verwalter.cluster.testkit.LeasesContract;
import verwalter.concurrent.testkit.VirtualWorld;

/** A leader and two other nodes. */
class MirrorLeasesTest extends LeasesContract {
  @Override
  protected Trial trial(VirtualWorld world) {
    return new Star(new verwalter.cluster.mirror.Trial(world, false, "a", "b", "c"));
  }

  private static final class Star implements Trial {
    private final verwalter.cluster.mirror.Trial cluster;
    private final Map<String, MirrorLeases> leases = new HashMap<>();

    Star(verwalter.cluster.mirror.Trial cluster) {
      this.cluster = cluster;
      cluster.sites.forEach(
          (name, site) ->
              leases.put(
                  "machine-" + name,
                  new MirrorLeases(
                      "machine-" + name,
                      cluster.world.clock(),
                      () -> site.loop.execute(site.feed::beat))));
      cluster.world.runFor(Duration.ofSeconds(5));
      cluster.mirrors.onBeat(from -> leases.get("machine-a").received(from));
    }

    @Override
    public Leases leases(String machine) {
      return leases.getOrDefault(machine, leases.get("machine-a"));
    }

    @Override
    public List<String> machines() {
      return leases.keySet().stream().sorted().toList();
    }

    @Override
    public List<String> leaders() {
      return List.of("machine-a");
    }

    @Override
    public void isolate(String machine) {
      cluster.reachable = false;
      cluster.cut();
    }
  }
}
