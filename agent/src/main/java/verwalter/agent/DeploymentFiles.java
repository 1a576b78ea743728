package verwalter.agent;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import verwalter.render.RenderFailed;
import verwalter.render.recipe.LogDirectories;
import verwalter.ui.port.DeploymentHistory;

/** The log files of deployments of this node. */
record DeploymentFiles(Settings.Places places, Runnable again) implements DeploymentHistory {
  @Override
  public Path logs() {
    return places.logs();
  }

  @Override
  public Path backups() {
    return places.backups();
  }

  @Override
  public Optional<Path> external(String name) throws IOException {
    try {
      var known = LogDirectories.read(places.config().resolve("sandbox")).directories();
      return Optional.ofNullable(known.get(name));
    } catch (RenderFailed mistake) {
      throw new IOException(mistake.getMessage());
    }
  }

  @Override
  public void renderAll() {
    again.run();
  }
}
