package verwalter.ui.port;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** Runs commands beside the processes of this node, for administrators. */
@FunctionalInterface
public interface CommandSessions {
  /** A node that runs no commands. */
  CommandSessions NONE =
      (request, client) ->
          Future.failedFuture(new IllegalArgumentException("this node runs no commands"));

  /**
   * Says what to run.
   *
   * @param group the process group, without the node
   * @param process the process in its group; empty for the only one of the group
   * @param index the number of the instance
   * @param arguments the command line; empty for that of the entry itself
   * @param terminal the terminal of the command; empty for pipes
   */
  record Request(
      String group,
      Optional<String> process,
      int index,
      List<String> arguments,
      Optional<Terminal> terminal) {
    public Request {
      arguments = List.copyOf(arguments);
    }
  }

  /**
   * A terminal.
   *
   * @param type the value of {@code TERM}
   */
  record Terminal(int rows, int columns, String type) {}

  /** Receives what a command writes. Called by the threads of the command. */
  interface Client {
    /**
     * Sends output. Blocks until the client can take more.
     *
     * @param error whether it is of the standard error
     */
    void output(boolean error, byte[] bytes) throws InterruptedException;

    /** The command has ended, and all output was sent. */
    void exited(int code);
  }

  /** A command that runs. No method blocks. */
  interface Session {
    /** Writes to the standard input; complete when it is written, or cannot be written any more. */
    Future<Void> input(byte[] bytes);

    /** Closes the standard input. */
    void endOfInput();

    /** Changes the size of the terminal. */
    void resize(int rows, int columns);

    /** Ends the command: with SIGTERM, and with SIGKILL a few seconds later. */
    void close();
  }

  /**
   * Starts a command. Fails with an {@link IllegalArgumentException} that says why if it cannot be
   * started.
   */
  Future<Session> start(Request request, Client client);
}
