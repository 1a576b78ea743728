package verwalter.ui.port;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The files of this node's deployments, and a way to deploy again. */
public interface DeploymentHistory {
  /** The directory of the deployment logs. */
  Path logs();

  /** The directory of the schedule's backups. */
  Path backups();

  /**
   * The directory that a name in {@code log-dirs} of the sandbox refers to. Blocks.
   *
   * @throws IOException if a file cannot be read or parsed; the message names the file and position
   */
  Optional<Path> external(String name) throws IOException;

  /** Renders every role of this node again. Does not block. */
  void renderAll();

  /** No deployments; for servers without a node. */
  DeploymentHistory NONE =
      new DeploymentHistory() {
        @Override
        public Path logs() {
          return Path.of("/nonexistent");
        }

        @Override
        public Path backups() {
          return Path.of("/nonexistent");
        }

        @Override
        public Optional<Path> external(String name) {
          return Optional.empty();
        }

        @Override
        public void renderAll() {}
      };
}
