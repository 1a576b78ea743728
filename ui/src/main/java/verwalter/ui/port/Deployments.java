package verwalter.ui.port;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** What this node has deployed, as files, and the wish that it do so again. */
public interface Deployments {
  /** The directory of the deployment logs. */
  Path logs();

  /** The directory of the schedule's backups. */
  Path backups();

  /**
   * The directory that a name in {@code log-dirs} of the sandbox refers to. Blocks.
   *
   * @throws IOException if there is no telling; the message says which file is wrong and where
   */
  Optional<Path> external(String name) throws IOException;

  /** Applies every role of this node anew. Does not block. */
  void renderAll();

  /** Nothing is deployed; for pages without a node. */
  Deployments NONE =
      new Deployments() {
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
