package verwalter.agent;

import java.nio.file.Path;
import java.util.Optional;
import verwalter.ui.port.Deployments;

/** The files that deployments of this node leave. */
record DeploymentFiles(Settings.Places places, Runnable again) implements Deployments {
  @Override
  public Path logs() {
    return places.logs();
  }

  @Override
  public Path backups() {
    return places.backups();
  }

  @Override
  public Optional<Path> external(String name) {
    return Optional.empty();
  }

  @Override
  public void renderAll() {
    again.run();
  }
}
