package verwalter.controllers.template;

import java.util.List;
import java.util.function.Consumer;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;

/** Tells when files that roles have written may have been changed. */
@FunctionalInterface
public interface FileWatch {
  /** Watches nothing. */
  FileWatch NONE =
      (loop, changed) ->
          new Watching() {
            @Override
            public boolean watch(String owner, List<String> files) {
              return false;
            }

            @Override
            public void close() {}
          };

  /**
   * Begins.
   *
   * @param changed hears, on the loop, the owner of a file that may be different now; our own
   *     writes are told like any other
   */
  Watching start(Loop loop, Consumer<String> changed);

  /** A watch that is told what to look at. */
  interface Watching extends Watch {
    /**
     * Looks at these files of the owner from now on, and at no others of it. May touch the disk;
     * call it from any thread.
     *
     * @param files absolute paths, which need not be there
     * @return whether some of them were not looked at until now
     */
    boolean watch(String owner, List<String> files);
  }
}
