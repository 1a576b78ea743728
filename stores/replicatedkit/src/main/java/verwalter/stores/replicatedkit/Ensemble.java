package verwalter.stores.replicatedkit;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import verwalter.stores.replicated.ReplicatedLog;

/** The members that keep a log, and the faults that a test can give them. */
public interface Ensemble extends AutoCloseable {
  /** Opens the log in another process, or as if in another process. */
  ReplicatedLog open();

  /** Disconnects the process of an open log, without an end of its connections. */
  void cut(ReplicatedLog log);

  /** Connects it again. Its session may have expired meanwhile. */
  void reconnect(ReplicatedLog log);

  /** Ends the connections of all processes, so that the results of requests are lost. */
  void interrupt();

  /** Removes the contents of all members, as if their disks had been replaced. */
  void wipe();

  /** Waits until the condition holds. It is evaluated on the thread of the test. */
  void await(BooleanSupplier condition);

  /** Lets everything happen that is under way. */
  void settle();

  @Override
  void close() throws IOException;
}
