package verwalter.client.transport;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** One open connection to a server. Used by one thread at a time, except for {@link #close}. */
interface Connection extends AutoCloseable {
  InputStream in();

  OutputStream out();

  /** Whether the server has neither closed the idle connection nor sent anything on it. */
  boolean isIdle();

  /** Ends the connection at once, also while another thread reads from it or writes to it. */
  @Override
  void close();

  /** What makes connections. */
  interface Opener {
    /** Connects; the connection is closed by {@code owner} if that is cancelled meanwhile. */
    Connection open(Exchange owner) throws IOException;

    /** Whether a connection that was made earlier may still be used. */
    boolean isCurrent(Connection connection) throws IOException;
  }
}
