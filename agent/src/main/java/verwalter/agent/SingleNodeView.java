package verwalter.agent;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import verwalter.cluster.ClusterView;

/** The cluster of a node that is alone: it leads. */
record SingleNodeView(Self self, Supplier<Map<String, Object>> newest) implements ClusterView {
  SingleNodeView(
      String hostname,
      String name,
      String machineId,
      Settings settings,
      Path config,
      Supplier<Map<String, Object>> newest) {
    this(
        new Self(
            name,
            machineId,
            hostname,
            Version.NUMBER,
            settings.defaultFrontend,
            config,
            List.of(settings.host + ":" + settings.port)),
        newest);
  }

  @Override
  public Optional<Member> leader() {
    return Optional.of(new Member(self.id(), self.name(), self.hostname(), Optional.empty()));
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
