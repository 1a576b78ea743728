package verwalter.cli;

import java.io.IOException;
import java.io.PrintStream;
import verwalter.cli.print.TextTable;
import verwalter.client.ApiException;
import verwalter.client.transport.Unreachable;

/**
 * The message of a failed command: the error in kubectl's wording, and a hint on what to do next.
 *
 * @param next empty if there is no hint
 */
record ErrorReport(String problem, String next) {
  static ErrorReport of(ApiException refused) {
    var reason = refused.reason().isEmpty() ? "" : " (" + refused.reason() + ")";
    return new ErrorReport(
        "Error from server" + reason + ": " + refused.getMessage(), next(refused));
  }

  static ErrorReport of(IOException e) {
    return e instanceof Unreachable unreachable
        ? new ErrorReport(
            "error: " + unreachable.getMessage() + hint(unreachable), next(unreachable))
        : new ErrorReport("error: " + e.getMessage(), "");
  }

  private static String hint(Unreachable e) {
    return e.why().startsWith("TLS failed")
        ? ""
        : "; is the agent running? start it with ./verwalter";
  }

  private static String next(Unreachable e) {
    if (e.why().startsWith("TLS failed")) {
      return nextForTls(e.why());
    }
    return e.server().startsWith("unix:")
        ? "or name its socket: --server unix:PATH, or VERWALTER_SERVER"
        : "or give its address: --server http://HOST:PORT, or VERWALTER_SERVER";
  }

  private static String nextForTls(String why) {
    if (why.contains("trusted authority")) {
      return "trust the authority that signed its certificate: --certificate-authority FILE, or"
          + " VERWALTER_CERTIFICATE_AUTHORITY";
    }
    if (why.contains("expired") || why.contains("not valid yet")) {
      return "renew the certificate of the server, and check the clock of this machine";
    }
    if (why.contains("another name")) {
      return "use a name that the certificate lists: --server https://HOST:PORT";
    }
    if (why.contains("does not speak TLS")) {
      return "use --server http://HOST:PORT, or the port that serves https";
    }
    return why.contains("client certificate")
        ? "add --client-certificate FILE and --client-key FILE"
        : "check --certificate-authority, --client-certificate and --client-key, and that the"
            + " server speaks https";
  }

  static ErrorReport of(Failure failure) {
    return new ErrorReport("error: " + failure.getMessage(), failure.next());
  }

  void to(PrintStream err) {
    problem.lines().map(TextTable::clean).forEach(err::println);
    if (!next.isEmpty()) {
      next.lines().map(TextTable::clean).forEach(err::println);
    }
  }

  private static String next(ApiException refused) {
    return switch (refused.reason()) {
      case "NotFound" -> "list them: vw get " + type(refused);
      case "Conflict" -> "it has changed since; read it and try again";
      case "ServiceUnavailable" -> "see the state of the cluster: vw status";
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
