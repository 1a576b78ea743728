package verwalter.supervisor;

import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.ProcessGroup;
import verwalter.model.ProcessSpec;

/**
 * Runs the processes of sandboxes. Calls state a wish, not an action: saying it twice is saying it
 * once.
 *
 * <p>Promises:
 *
 * <ol>
 *   <li>{@link #check} changes nothing and gives every problem that would make {@link #run} refuse.
 *   <li>{@link #run} writes the process file atomically, and only if it differs; what runs as
 *       wanted already is not touched; the rest is stopped and started slot by slot (lithos.md 9).
 *   <li>A refused {@link #run} changes neither the file nor a process.
 *   <li>{@link #remove} ends every process of the sandbox and then removes its file; its future
 *       completes when both are done.
 *   <li>{@link #processes} names every slot that is wanted or still has a process, by name; it is
 *       empty when the sandbox has none, and absent while the supervisor cannot tell.
 *   <li>A watcher hears the name of a sandbox on its loop after anything {@link #processes} says of
 *       it may have changed. It may hear too often, never too seldom.
 *   <li>Closing leaves every process running; the next supervisor on the same directory adopts
 *       them.
 * </ol>
 */
public interface Supervisor extends AutoCloseable {
  /**
   * What is wrong with these entries for that sandbox; empty when nothing is. Reads files, so call
   * it off the loop; safe from any thread.
   */
  List<String> check(String sandbox, Map<String, ProcessSpec> processes);

  /** Makes the sandbox run these entries; fails with {@link Refused} when {@link #check} would. */
  Future<Void> run(String sandbox, Map<String, ProcessSpec> processes);

  /** Makes the sandbox run nothing and forgets it. */
  Future<Void> remove(String sandbox);

  /** What is known of each process slot of the sandbox. */
  Optional<List<ProcessGroup.Slot>> processes(String sandbox);

  /** Every sandbox that has a process file or a process. */
  Set<String> sandboxes();

  /** Names sandboxes whose processes may have changed, until closed. */
  Watch watch(Loop loop, Consumer<String> watcher);

  /** Lets go of every process without touching it. */
  @Override
  void close();

  /** The entries do not pass {@link #check}. */
  final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;

    public Refused(String sandbox, List<String> problems) {
      super(sandbox + ": " + String.join("; ", problems), null, false, false);
    }
  }
}
