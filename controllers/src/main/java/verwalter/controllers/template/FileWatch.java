package verwalter.controllers.template;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import verwalter.concurrent.Watch;

/** Reports when files that roles have written may have been changed. */
@FunctionalInterface
public interface FileWatch {
  /** Watches nothing. */
  FileWatch NONE =
      (executor, changed) ->
          new Watching() {
            @Override
            public boolean watch(String owner, List<String> files) {
              return false;
            }

            @Override
            public void close() {}
          };

  /**
   * Starts a watch.
   *
   * @param executor runs the calls of {@code changed}, such as a loop
   * @param changed called with the owner of a file that may have changed; writes of the agent are
   *     reported too
   */
  Watching start(Executor executor, Consumer<String> changed);

  /** A watch of a set of files that can be changed. */
  interface Watching extends Watch {
    /**
     * Sets the files of the owner to watch. Blocks on disk I/O; safe to call from any thread.
     *
     * @param files absolute paths of files, which need not exist
     * @return whether some of them were not watched before
     */
    boolean watch(String owner, List<String> files);
  }
}
