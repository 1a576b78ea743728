package verwalter.ui.access;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import javax.net.ssl.SSLPeerUnverifiedException;
import verwalter.access.Caller;
import verwalter.access.Credential;
import verwalter.access.TokenText;
import verwalter.model.AccessRule.Grant;
import verwalter.model.AccessToken;
import verwalter.stores.api.ObjectStore;
import verwalter.ui.http.RequestProblem;
import verwalter.ui.port.AccessPort;
import verwalter.ui.port.Forwarding;

/**
 * Finds out who sends a request: by its access token, else by the user at the other end of the unix
 * socket, else by the client certificate. All other callers are anonymous. A credential that is not
 * valid is refused and never taken for none.
 */
final class Authentication {
  private static final String BEARER = "Bearer ";
  private static final String ROOT = "root";

  private final ObjectStore store;
  private final AccessPort access;
  private final Function<HttpServerRequest, Optional<Forwarding.Claim>> forwarded;

  /**
   * Creates an authentication.
   *
   * @param forwarded the claim of the node that forwards a request
   */
  Authentication(
      ObjectStore store,
      AccessPort access,
      Function<HttpServerRequest, Optional<Forwarding.Claim>> forwarded) {
    this.store = store;
    this.access = access;
    this.forwarded = forwarded;
  }

  /**
   * The caller at this time.
   *
   * @throws RequestProblem 401 if the credential is not valid, or not valid any more
   */
  Caller caller(HttpServerRequest request, Instant now) {
    var token = token(request);
    if (token.isPresent()) {
      return ofToken(token.get(), now);
    }
    var claim = forwarded.apply(request);
    if (claim.isPresent()) {
      return claimed(claim.get());
    }
    var remote = request.connection().remoteAddress();
    if (remote == null || remote.path() != null) {
      return ofSocket(request);
    }
    return certificate(request)
        .map(it -> ofCertificate(it, now))
        .orElseGet(
            () ->
                Caller.anonymous(
                    access.everywhere() || isLocal(remote)
                        ? access.anonymous()
                        : Optional.empty()));
  }

  /** The text of the token in a request; empty if there is none. */
  static Optional<String> token(HttpServerRequest request) {
    return Optional.ofNullable(request.getHeader("Authorization"))
        .filter(it -> it.regionMatches(true, 0, BEARER, 0, BEARER.length()))
        .map(it -> it.substring(BEARER.length()).strip());
  }

  /**
   * The caller that a forwarding node names. An elector is believed, because it may hold the key of
   * the authority and could make a certificate for anybody. The claim of another node allows no
   * more than the node itself may do.
   */
  private static Caller claimed(Forwarding.Claim claim) {
    try {
      var caller = CallerText.parse(claim.caller().orElse(""));
      if (caller.credential() == Credential.BEARER_TOKEN) {
        throw unauthorized("the forwarding node names a token and does not show it");
      }
      return claim.sender().elector() ? caller : caller.through(claim.sender().node());
    } catch (IllegalArgumentException malformed) {
      throw unauthorized("the forwarding node does not say who sends the request");
    }
  }

  private Caller ofToken(String text, Instant now) {
    var token = TokenText.parse(text);
    var known =
        token
            .flatMap(it -> store.get(AccessToken.KIND, it.name()))
            .filter(it -> !it.meta().deleting())
            .map(it -> it.spec());
    if (known.isEmpty() || !token.orElseThrow().isOf(known.get(), now)) {
      boolean expired =
          known.filter(it -> !now.isBefore(it.expires())).isPresent()
              && token.orElseThrow().hash().equals(known.get().hash());
      throw unauthorized(
          expired
              ? "the token %s has expired".formatted(token.orElseThrow().name())
              : "the token is not valid, or was revoked");
    }
    return Caller.ofToken(known.get().user(), Set.copyOf(known.get().groups()));
  }

  /**
   * The socket's mode lets only its owner, root and the members of its group connect. The kernel
   * names the user; anybody but the owner and root is a member.
   */
  private Caller ofSocket(HttpServerRequest request) {
    var user = PeerUser.of(request.connection());
    if (user.isEmpty()) {
      throw unauthorized("the system does not report which user is connected to the socket");
    }
    boolean owner = user.get().equals(access.owner()) || user.get().equals(ROOT);
    var member = access.members() ? Optional.of(Grant.OPERATOR) : Optional.<Grant>empty();
    return Caller.ofSocket(user.get(), owner ? Optional.of(Grant.ADMIN) : member);
  }

  /** The certificate of the client; empty without one, and when the connection is closed. */
  static Optional<X509Certificate> certificate(HttpServerRequest request) {
    if (!request.isSSL()) {
      return Optional.empty();
    }
    var session = request.connection().sslSession();
    if (session == null) { // the connection is closed
      return Optional.empty();
    }
    try {
      var chain = session.getPeerCertificates();
      return chain.length > 0 && chain[0] instanceof X509Certificate first
          ? Optional.of(first)
          : Optional.empty();
    } catch (SSLPeerUnverifiedException none) {
      return Optional.empty();
    }
  }

  private static Caller ofCertificate(X509Certificate certificate, Instant now) {
    if (now.isAfter(certificate.getNotAfter().toInstant())) {
      throw unauthorized("the client certificate has expired");
    }
    return CertificateCaller.of(certificate)
        .orElseThrow(() -> unauthorized("the client certificate has no common name"));
  }

  private static boolean isLocal(SocketAddress remote) {
    try {
      var address = remote.hostAddress();
      return address != null && InetAddress.getByName(address).isLoopbackAddress();
    } catch (UnknownHostException noAddress) {
      return false;
    }
  }

  static RequestProblem unauthorized(String why) {
    return RequestProblem.of(
        401,
        "Unauthorized",
        why
            + "; use the unix socket of the agent, a client certificate, or a token, which an"
            + " admin makes: vw auth create-token NAME");
  }
}
