package verwalter.agent;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import verwalter.ui.port.ClusterView;

/** The cluster of a node that is alone: it leads. */
record LoneView(Self self) implements ClusterView {
  LoneView(String hostname, String name, String machineId, Settings settings, Path config) {
    this(
        new Self(
            name,
            machineId,
            hostname,
            Version.NUMBER,
            settings.defaultFrontend,
            config,
            List.of(settings.host + ":" + settings.port)));
  }

  @Override
  public Optional<Member> leader() {
    return Optional.of(new Member(self.id(), self.name(), self.hostname(), Optional.empty()));
  }

  @Override
  public long epoch() {
    return 1;
  }
}
