package verwalter.agent;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import verwalter.cluster.ClusterView;
import verwalter.cluster.Leadership;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;

/** The cluster of a single node. */
record SingleNodeView(
    Self self,
    boolean forced,
    Leadership leadership,
    Supplier<Map<String, Object>> newest,
    Supplier<Map<String, Long>> figures)
    implements ClusterView {
  SingleNodeView(
      String hostname,
      String name,
      String machineId,
      Settings settings,
      Path config,
      Leadership leadership,
      Supplier<Map<String, Object>> newest,
      Supplier<Map<String, Long>> figures) {
    this(
        new Self(
            name,
            machineId,
            hostname,
            BuildVersion.NUMBER,
            settings.defaultFrontend,
            config,
            List.of(settings.host + ":" + settings.port)),
        settings.forceLeader,
        leadership,
        newest,
        figures);
  }

  @Override
  public Optional<Member> leader() {
    return leadership
        .term()
        .filter(term -> term.leader().equals(self.id()))
        .map(term -> new Member(self.id(), self.name(), self.hostname(), Optional.empty()));
  }

  @Override
  public Watch watchLeader(Loop loop, Runnable listener) {
    return leadership.watch(loop, term -> listener.run());
  }

  @Override
  public Map<String, Long> metrics() {
    return figures.get();
  }

  @Override
  public Map<String, Object> measured() {
    return newest.get();
  }

  @Override
  public long epoch() {
    return 1;
  }
}
