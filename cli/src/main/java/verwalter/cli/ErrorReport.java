package verwalter.cli;

import java.io.IOException;
import java.io.PrintStream;
import verwalter.client.ApiException;
import verwalter.client.transport.Unreachable;

/**
 * What is said when something did not work: the problem in kubectl's words, and what to type next.
 *
 * @param next empty when there is nothing to say
 */
record ErrorReport(String problem, String next) {
  static ErrorReport of(ApiException refused) {
    var reason = refused.reason().isEmpty() ? "" : " (" + refused.reason() + ")";
    return new ErrorReport(
        "Error from server" + reason + ": " + refused.getMessage(), next(refused));
  }

  static ErrorReport of(IOException e) {
    return e instanceof Unreachable
        ? new ErrorReport(
            "error: %s; is the agent running? start it with ./verwalter".formatted(e.getMessage()),
            "or say where it answers: --server http://HOST:PORT, or VERWALTER_SERVER")
        : new ErrorReport("error: " + e.getMessage(), "");
  }

  static ErrorReport of(Failure failure) {
    return new ErrorReport("error: " + failure.getMessage(), failure.next());
  }

  void to(PrintStream err) {
    err.println(problem);
    if (!next.isEmpty()) {
      err.println(next);
    }
  }

  private static String next(ApiException refused) {
    return switch (refused.reason()) {
      case "NotFound" -> "see what there is: vw get " + type(refused);
      case "Conflict" -> "somebody else changed it meanwhile; read it and try again";
      case "ServiceUnavailable" -> "see how the cluster fares: vw status";
      case "Expired" -> "try again";
      default -> "";
    };
  }

  /** The type at the beginning of {@code nodes "x" not found}. */
  private static String type(ApiException refused) {
    int quote = refused.getMessage().indexOf(" \"");
    return quote > 0 && refused.getMessage().indexOf(' ') == quote
        ? refused.getMessage().substring(0, quote)
        : "TYPE";
  }
}
