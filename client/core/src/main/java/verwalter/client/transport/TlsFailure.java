package verwalter.client.transport;

import java.io.IOException;
import java.net.SocketException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Why TLS failed, in words for people. */
final class TlsFailure extends IOException {
  private static final long serialVersionUID = 1;

  private TlsFailure(String message, Throwable cause) {
    super(message, cause);
  }

  /** The files that TLS needs cannot be used. */
  static TlsFailure ofFiles(IOException e) {
    var message = String.valueOf(e.getMessage());
    if (e instanceof NoSuchFileException) {
      message = "no such file: " + message;
    } else if (e instanceof AccessDeniedException) {
      message = "permission denied: " + message;
    }
    return new TlsFailure(message, e);
  }

  /** The handshake or the connection failed. */
  static String reason(SSLException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      var known = known(cause);
      if (known != null) {
        return known;
      }
    }
    var message = String.valueOf(e.getMessage());
    if (message.contains("unrecognized SSL message")) {
      return "the server does not speak TLS";
    }
    if (isClosed(e)) {
      return "the server closed the connection; perhaps it requires a client certificate (%s)"
          .formatted(message);
    }
    return message.contains("certificate_required") || message.contains("bad_certificate")
        ? "the server requires a client certificate (%s)".formatted(message)
        : message;
  }

  /**
   * Whether the server closed the connection. In TLS 1.3 a client has finished the handshake before
   * the server checks its certificate, and may write before it reads why the server closed.
   */
  private static boolean isClosed(SSLException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SocketException) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable String known(Throwable cause) {
    if (cause instanceof CertificateExpiredException) {
      return "the server's certificate has expired (%s)".formatted(cause.getMessage());
    }
    if (cause instanceof CertificateNotYetValidException) {
      return "the server's certificate is not valid yet (%s)".formatted(cause.getMessage());
    }
    if (cause instanceof CertPathBuilderException) {
      return "the server's certificate is not signed by a trusted authority";
    }
    var message = String.valueOf(cause.getMessage());
    boolean name = message.startsWith("No subject alternative") || message.startsWith("No name");
    return cause instanceof CertificateException && name
        ? "the server's certificate is for another name (%s)".formatted(message)
        : null;
  }
}
