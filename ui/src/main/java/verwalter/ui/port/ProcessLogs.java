package verwalter.ui.port;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The logs of the processes of this node. */
@FunctionalInterface
public interface ProcessLogs {
  /** A node without processes. */
  ProcessLogs NONE =
      query ->
          new Reading() {
            @Override
            public boolean refresh() {
              return false;
            }

            @Override
            public List<Line> next() {
              return List.of();
            }

            @Override
            public List<Line> rest() {
              return List.of();
            }
          };

  /**
   * Selects lines.
   *
   * @param group the process group, without the node
   * @param process only this process
   * @param index only the instance with this number
   * @param tail the last lines of each instance, at most; negative for all
   * @param since only lines that were written at this time or later
   * @param previous the run before the last start of each instance
   * @param removed also instances that are not wanted any more
   */
  record Query(
      String group,
      Optional<String> process,
      Optional<Integer> index,
      int tail,
      Optional<Instant> since,
      boolean previous,
      boolean removed) {}

  /**
   * A line.
   *
   * @param time at which it had been written
   * @param process the instance, {@code group/process.index}
   */
  record Line(Instant time, String process, String text) {}

  /** Opens the selected logs. Does not block. */
  Reading open(Query query);

  /** Reads logs, merged by time. All methods block; one thread at a time may call them. */
  interface Reading {
    /** Looks for instances that are new; returns whether there are any instances. */
    boolean refresh() throws IOException;

    /** The next lines; none if there are no more now. */
    List<Line> next() throws IOException;

    /** The last lines, whose ends are missing. To be called once. */
    List<Line> rest() throws IOException;
  }
}
