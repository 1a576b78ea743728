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
 * Runs groups of processes. Each call states the desired result and is idempotent. The name of a
 * group is that of the sandbox whose limits apply to its images.
 *
 * <p>Promises:
 *
 * <ol>
 *   <li>{@link #check} changes nothing and returns every problem because of which {@link #run}
 *       would fail.
 *   <li>{@link #run} writes the process file atomically, and only if it differs. Processes that run
 *       as desired are not touched; the others are stopped and started slot by slot. A process with
 *       a smaller {@link ProcessSpec#restartCounter} than the desired one is one of the others.
 *   <li>A refused {@link #run} changes neither the file nor a process.
 *   <li>{@link #remove} ends every process of the group and then removes its file. Its future
 *       completes when both are done.
 *   <li>{@link #processes} returns every slot that is desired or still has a process, by name. It
 *       is empty if the group has none, and absent while the state is unknown. A slot that was
 *       neither has no history when it is desired again.
 *   <li>A watcher is called with the name of a group on its loop whenever the result of {@link
 *       #processes} may have changed. It may be called too often, but never misses a change.
 *   <li>Closing keeps every process running; the next supervisor on the same directory adopts them.
 *   <li>{@link #restart} ends a process only if it is the same run of its slot, and the process is
 *       started again as after a failure.
 *   <li>Of processes that are stopped together, those that {@link ProcessSpec.Stop#before} of
 *       another one names are requested to end after it has ended, or after the longest time that
 *       its stop can take. The settings are those of the start of each process.
 * </ol>
 */
public interface Supervisor extends AutoCloseable {
  /**
   * Every problem of these processes; empty if there is none. Reads files, so call it off the loop.
   * Thread-safe.
   */
  List<String> check(String group, Map<String, ProcessSpec> processes);

  /** Makes the group run these processes; fails with {@link Refused} if {@link #check} would. */
  Future<Void> run(String group, Map<String, ProcessSpec> processes);

  /**
   * Ends a process that is unhealthy, and starts it again as after a failure. Other processes of
   * the group are not touched.
   *
   * @param slot the process, as {@link #processes} returned it
   * @param why the end of a sentence for its last exit, such as {@code its liveness probe failed}
   * @return whether that process still ran and is being ended
   */
  Future<Boolean> restart(String group, ProcessGroup.Slot slot, String why);

  /** Ends every process of the group and removes the group. */
  Future<Void> remove(String group);

  /** The state of each process slot of the group. */
  Optional<List<ProcessGroup.Slot>> processes(String group);

  /** Every group that has a process file or a process. */
  Set<String> groups();

  /** Reports groups whose processes may have changed, until closed. */
  Watch watch(Loop loop, Consumer<String> watcher);

  /** Stops supervising; all processes continue. */
  @Override
  void close();

  /** The processes do not pass {@link #check}. */
  final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;

    public Refused(String group, List<String> problems) {
      super(group + ": " + String.join("; ", problems), null, false, false);
    }
  }
}
