package verwalter.artifacts;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.channels.UnresolvedAddressException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import verwalter.artifacts.ArtifactException.Reason;

/** The requests of one download: each is sent, redirected, and waited for. Used by one thread. */
final class WebAccess {
  private static final String ACTION = WebDownload.ACTION;

  /**
   * How servers are reached.
   *
   * @param client makes the client at the first call, and returns the same one from then on
   * @param redirects number that one request follows
   */
  record Route(Supplier<HttpClient> client, ProxyTable proxies, int redirects) {}

  private final Route route;
  private final ArchiveSender sender;
  private final String shown;
  private final Pace pace;
  private final Ticks ticks;
  private final Cancellation cancellation;

  WebAccess(Route route, ArchiveSender sender, Pace pace, Ticks ticks, Cancellation cancellation) {
    this.route = route;
    this.sender = sender;
    this.shown = sender.shown();
    this.pace = pace;
    this.ticks = ticks;
    this.cancellation = cancellation;
  }

  /**
   * Asks for the archive, and waits for the headers.
   *
   * @param start what to continue; if empty, the whole archive is asked for
   */
  WebAnswer asked(Optional<PartialFile.Start> start)
      throws ArtifactException, InterruptedException {
    var url = sender.url();
    for (int redirects = 0; ; redirects++) {
      var answer = sent(url, start);
      if (!answer.isRedirect()) {
        return answer;
      }
      answer.body().close();
      if (redirects == route.redirects()) {
        throw failed(
            Reason.BAD_REDIRECT, "the server redirects more than %d times".formatted(redirects));
      }
      url = redirected(url, answer);
    }
  }

  private URI redirected(URI from, WebAnswer answer) throws ArtifactException {
    var location = answer.location().orElse("");
    if (location.isEmpty()) {
      throw failed(Reason.BAD_REDIRECT, "the server redirects to no address");
    }
    try {
      var to = from.resolve(new URI(location));
      var known = ArtifactSource.parse(withoutFragment(to).toString());
      if (known instanceof ArtifactSource.WebArchive web) {
        if (from.getScheme().equals("https") && !web.url().getScheme().equals("https")) {
          throw failed(Reason.BAD_REDIRECT, "the server redirects from https to http");
        }
        return web.url();
      }
    } catch (URISyntaxException malformed) {
      // Reported below.
    } catch (ArtifactException refused) {
      throw refused.reason() == Reason.BAD_REDIRECT
          ? refused
          : failed(
              Reason.BAD_REDIRECT,
              "the server redirects to an address that is refused: " + refused.getMessage());
    }
    throw failed(Reason.BAD_REDIRECT, "the server redirects to an address that is no http URL");
  }

  private static URI withoutFragment(URI url) throws URISyntaxException {
    var text = url.toString();
    int hash = text.indexOf('#');
    return hash < 0 ? url : new URI(text.substring(0, hash));
  }

  private WebAnswer sent(URI url, Optional<PartialFile.Start> start)
      throws ArtifactException, InterruptedException {
    var request = HttpRequest.newBuilder(url).GET().header("User-Agent", "verwalter");
    route.proxies().credentials(url).ifPresent(it -> request.header("Proxy-Authorization", it));
    start.ifPresent(
        it -> {
          request.header("Range", "bytes=" + it.bytes() + "-");
          if (it.isFrom(sender) && !sender.isPeer()) {
            request.header("If-Range", it.validator());
          }
        });
    return awaited(request.build());
  }

  /**
   * Waits for the headers. They come from the handler, since the client's own future fails if the
   * body ends early, even when its headers have come.
   */
  private WebAnswer awaited(HttpRequest request) throws ArtifactException, InterruptedException {
    var head = new CompletableFuture<WebAnswer>();
    var body = new WebBody();
    var exchange =
        route
            .client()
            .get()
            .sendAsync(
                request,
                info -> {
                  head.complete(new WebAnswer(info.statusCode(), info.headers(), body));
                  return body;
                });
    var unused =
        exchange.whenComplete(
            (response, failure) -> {
              if (failure != null) {
                head.completeExceptionally(failure);
                body.onError(failure);
              }
            });
    boolean hasCome = false;
    try {
      var answer = awaited(head);
      hasCome = true;
      return answer;
    } catch (ExecutionException failed) {
      throw unreachable(failed.getCause() == null ? failed : failed.getCause());
    } finally {
      if (!hasCome) {
        exchange.cancel(true);
        body.close();
      }
    }
  }

  private WebAnswer awaited(CompletableFuture<WebAnswer> answer)
      throws ArtifactException, InterruptedException, ExecutionException {
    long last = ticks.nanos();
    while (true) {
      cancellation.check(ACTION, shown);
      try {
        return answer.get(WebBody.LOOK_NANOS, TimeUnit.NANOSECONDS);
      } catch (TimeoutException notYet) {
        long now = ticks.nanos();
        if (!pace.keeps(now - last, 0)) {
          throw failed(Reason.STALLED, "the server does not answer: " + pace.text());
        }
        last = now;
      }
    }
  }

  private ArtifactException unreachable(Throwable failure) {
    var cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return new ArtifactException(
        Reason.UNREACHABLE, ACTION, shown, "the server cannot be reached: " + text(cause), cause);
  }

  private static String text(Throwable cause) {
    for (var it = cause; it != null; it = it.getCause()) {
      if (it instanceof UnresolvedAddressException) {
        return "the host has no address";
      } else if (it.getMessage() != null) {
        return it.getMessage();
      }
    }
    return cause.getClass().getSimpleName();
  }

  private ArtifactException failed(Reason reason, String why) {
    return new ArtifactException(reason, ACTION, shown, why);
  }
}
