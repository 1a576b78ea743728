package verwalter.client.transport;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** An open connection to a server. Used by one thread at a time, except for {@link #close}. */
interface Connection extends Closeable {
  InputStream in();

  OutputStream out();

  /** Whether the server has neither closed the idle connection nor sent anything on it. */
  boolean isIdle();

  /** Closes the connection at once, even while another thread uses it. */
  @Override
  void close();

  /** Opens connections. */
  interface Opener {
    /** Connects. {@code owner} closes the connection if it is cancelled meanwhile. */
    Connection open(Exchange owner) throws IOException;

    /** Whether an earlier connection may still be used. */
    boolean isCurrent(Connection connection) throws IOException;
  }
}
