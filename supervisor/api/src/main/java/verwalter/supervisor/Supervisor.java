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
 * Runs groups of processes. A call states what is wanted; stating it again changes nothing. The
 * name of a group is that of the sandbox within whose limits its images run.
 *
 * <p>Promises:
 *
 * <ol>
 *   <li>{@link #check} changes nothing and gives every problem that would make {@link #run} refuse.
 *   <li>{@link #run} writes the process file atomically, and only if it differs; what runs as
 *       wanted already is not touched; the rest is stopped and started slot by slot.
 *   <li>A refused {@link #run} changes neither the file nor a process.
 *   <li>{@link #remove} ends every process of the group and then removes its file; its future
 *       completes when both are done.
 *   <li>{@link #processes} names every slot that is wanted or still has a process, by name; it is
 *       empty when the group has none, and absent while the supervisor cannot tell.
 *   <li>A watcher hears the name of a group on its loop after anything {@link #processes} says of
 *       it may have changed. It may hear too often, never too seldom.
 *   <li>Closing leaves every process running; the next supervisor on the same directory adopts
 *       them.
 * </ol>
 */
public interface Supervisor extends AutoCloseable {
  /**
   * Every problem of these processes; empty if there is none. Reads files, so call it off the loop;
   * safe from any thread.
   */
  List<String> check(String group, Map<String, ProcessSpec> processes);

  /** Makes the group run these processes; fails with {@link Refused} if {@link #check} would. */
  Future<Void> run(String group, Map<String, ProcessSpec> processes);

  /** Ends every process of the group and forgets the group. */
  Future<Void> remove(String group);

  /** The state of each process slot of the group. */
  Optional<List<ProcessGroup.Slot>> processes(String group);

  /** Every group that has a process file or a process. */
  Set<String> groups();

  /** Names groups whose processes may have changed, until closed. */
  Watch watch(Loop loop, Consumer<String> watcher);

  /** Stops supervising; every process goes on. */
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
