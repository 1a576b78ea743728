package verwalter.ui.http;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Refuses cross-site requests by these rules:
 *
 * <ul>
 *   <li>{@code Host} must be an address or a name of this server, against DNS rebinding.
 *   <li>{@code Origin}, if given, must be this host. CORS is never granted.
 *   <li>A request that changes something must have a media type of JSON, YAML or a patch, which an
 *       HTML form cannot send, or none if it is not from another site. None means JSON.
 * </ul>
 */
public final class RequestGuard implements Handler<RoutingContext> {
  private static final Pattern IP4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
  private static final Pattern IP6 = Pattern.compile("\\[[0-9a-f:.]+(%[0-9a-z._-]+)?]");
  private static final List<HttpMethod> READS =
      List.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);
  private static final List<String> FORMS =
      List.of("", "text/plain", "multipart/form-data", "application/x-www-form-urlencoded");
  private static final String SITE = "Sec-Fetch-Site";
  private static final String POLICY =
      "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self';"
          + " frame-ancestors 'none'";

  private final Set<String> names;

  /** A guard for a server with these names, besides {@code localhost} and all addresses. */
  public RequestGuard(Collection<String> names) {
    this.names =
        names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
  }

  @Override
  public void handle(RoutingContext context) {
    var request = context.request();
    request
        .response()
        .putHeader("X-Content-Type-Options", "nosniff")
        .putHeader("Content-Security-Policy", POLICY)
        .putHeader("Cross-Origin-Resource-Policy", "same-origin")
        .putHeader("Referrer-Policy", "no-referrer");
    try {
      checkHost(request);
      checkOrigin(request);
      checkContent(request);
    } catch (RequestProblem problem) {
      context.fail(problem);
      return;
    }
    context.next();
  }

  private void checkHost(HttpServerRequest request) {
    var hosts = request.headers().getAll("Host");
    if (hosts.size() > 1) {
      throw RequestProblem.badRequest("the request has more than one Host header");
    }
    // With TLS, a client checks the name itself.
    if (!hosts.isEmpty() && !request.isSSL() && !isOurs(hosts.get(0))) {
      throw RequestProblem.of(
          421,
          "Misdirected",
          "this server has another name than that Host; use an IP address, localhost or one of: "
              + names.stream().sorted().collect(Collectors.joining(", ")));
    }
  }

  private boolean isOurs(String host) {
    var lower = host.toLowerCase(Locale.ROOT);
    int colon = lower.lastIndexOf(':');
    var name = colon > lower.lastIndexOf(']') ? lower.substring(0, colon) : lower;
    return name.equals("localhost")
        || names.contains(name)
        || IP4.matcher(name).matches()
        || IP6.matcher(name).matches();
  }

  /**
   * Refuses a request that a browser sends for a page of another site, whatever its method, for a
   * {@code GET} that has an effect. {@link #handle} has checked {@code Origin}.
   *
   * @throws RequestProblem 403
   */
  public static void refuseOtherSites(HttpServerRequest request) {
    var page = request.getHeader("Referer");
    boolean typed = "none".equals(request.getHeader(SITE)); // in the address bar
    if ((!typed && !isFromHere(request)) || (page != null && !isPageOf(site(request), page))) {
      throw RequestProblem.of(403, "Forbidden", "requests of other web sites are refused");
    }
  }

  private static boolean isPageOf(String site, String page) {
    return page.toLowerCase(Locale.ROOT).startsWith(site.toLowerCase(Locale.ROOT) + "/");
  }

  private static String site(HttpServerRequest request) {
    return (request.isSSL() ? "https://" : "http://") + request.getHeader("Host");
  }

  private static void checkOrigin(HttpServerRequest request) {
    var origin = request.getHeader("Origin");
    if (origin != null && !origin.equalsIgnoreCase(site(request))) {
      throw RequestProblem.of(
          403, "Forbidden", "requests of other web sites are refused (Origin is not this host)");
    }
  }

  private static void checkContent(HttpServerRequest request) {
    if (request.getHeader("Content-Encoding") != null) {
      throw RequestProblem.unsupported("send the body without Content-Encoding");
    }
    if (READS.contains(request.method())) {
      return;
    }
    var type = request.getHeader("Content-Type");
    boolean refused =
        type == null ? !isFromHere(request) : FORMS.contains(MediaTypes.parse(type).name());
    if (refused) {
      throw RequestProblem.unsupported(
          "a request that changes something needs a Content-Type of JSON, YAML or a patch, not "
              + (type == null || type.isEmpty() ? "none" : type));
    }
  }

  /** Not from a browser, or from a page of this server. */
  private static boolean isFromHere(HttpServerRequest request) {
    var site = request.getHeader(SITE);
    return site == null || site.equals("same-origin");
  }
}
