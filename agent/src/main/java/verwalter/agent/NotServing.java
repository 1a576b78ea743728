package verwalter.agent;

import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;

/** Explains why the HTTP server did not start. Pure. */
final class NotServing {
  /** Ports below this one are reserved for root. */
  private static final int FREE_FOR_ALL = 1024;

  /** Converts a failure to listen on an address to an error message. */
  static SetupFailed because(Exception failure, String host, int port) {
    if (failure instanceof UnknownHostException || failure instanceof UnresolvedAddressException) {
      return new SetupFailed(
          ExitCode.BIND,
          "cannot listen on %s:%d: nobody knows the address of %s; give another --host"
              .formatted(host, port, host));
    }
    if (failure instanceof SocketException) {
      var denied = String.valueOf(failure.getMessage()).contains("ermission denied");
      return new SetupFailed(
          ExitCode.BIND,
          "cannot listen on %s:%d: %s; %s"
              .formatted(
                  host,
                  port,
                  failure.getMessage(),
                  denied && port < FREE_FOR_ALL
                      ? "ports below %d are for root: give another --port".formatted(FREE_FOR_ALL)
                      : "is another agent running, or does --port help?"));
    }
    return new SetupFailed(ExitCode.SETUP, "the HTTP server does not start: " + failure);
  }

  private NotServing() {}
}
