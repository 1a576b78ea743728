package verwalter.artifacts;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.UnresolvedAddressException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import verwalter.artifacts.ArtifactException.Reason;

/**
 * One attempt to download an archive to a {@link PartialFile}. It continues what an earlier attempt
 * has left, if the server still has the same content, and begins anew otherwise. Used once, by one
 * thread.
 */
final class WebDownload {
  private static final String ACTION = "download";

  /**
   * The parts that all downloads share.
   *
   * @param client makes the client at the first call, and returns the same one from then on
   */
  record Net(
      Supplier<HttpClient> client,
      ProxyTable proxies,
      FetchLimits limits,
      Bandwidth bandwidth,
      FreeSpace space,
      Ticks ticks,
      ArtifactDisk disk) {}

  private final Net net;
  private final URI source;
  private final String shown;
  private final PartialFile partial;
  private final boolean isDigestKnown;
  private final WorkProgress progress;
  private final Cancellation cancellation;
  private final byte[] buffer = new byte[1 << 16];
  private MessageDigest sha256 = Sha256.start();
  private long done;

  WebDownload(
      Net net,
      URI source,
      PartialFile partial,
      boolean isDigestKnown,
      WorkProgress progress,
      Cancellation cancellation) {
    this.net = net;
    this.source = source;
    this.shown = ArtifactSource.shown(source);
    this.partial = partial;
    this.isDigestKnown = isDigestKnown;
    this.progress = progress;
    this.cancellation = cancellation;
  }

  /** Returns the digest of the whole file, which is on disk but may not survive a power cut. */
  Digest run() throws ArtifactException {
    try {
      var start = partial.start(isDigestKnown);
      if (start.isEmpty() || !resumed(start.get())) {
        anew();
      }
      return Digest.of(sha256.digest());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw Cancellation.exception(ACTION, shown);
    } catch (ClosedByInterruptException interrupted) {
      throw Cancellation.exception(ACTION, shown);
    } catch (IOException failed) {
      throw ArtifactException.of(failed, ACTION, shown);
    }
  }

  /** Continues; false if the server has other content now, or cannot continue. */
  private boolean resumed(PartialFile.Start start)
      throws IOException, ArtifactException, InterruptedException {
    var answer = asked(Optional.of(start));
    try {
      if (answer.isComplete(start)) {
        addPresent();
        return true;
      } else if (answer.continues(start)) {
        addPresent();
        receive(answer, partial.resume(done), answer.wholeOfRange());
        return true;
      } else if (answer.status() == 200) {
        receive(answer, partial.begin(answer.validator()), answer.length());
        return true;
      } else if (answer.status() == 206 || answer.status() == 416) {
        return false;
      }
      throw refused(answer);
    } finally {
      answer.body().close();
    }
  }

  private void addPresent() throws IOException, ArtifactException {
    done = Sha256.add(sha256, partial.data(), n -> cancellation.check(ACTION, shown));
  }

  private void anew() throws IOException, ArtifactException, InterruptedException {
    done = 0;
    sha256 = Sha256.start();
    var answer = asked(Optional.empty());
    try {
      if (answer.status() != 200) {
        throw refused(answer);
      }
      receive(answer, partial.begin(answer.validator()), answer.length());
    } finally {
      answer.body().close();
    }
  }

  private WebAnswer asked(Optional<PartialFile.Start> start)
      throws ArtifactException, InterruptedException {
    var url = source;
    for (int redirects = 0; ; redirects++) {
      var answer = sent(url, start);
      if (!answer.isRedirect()) {
        return answer;
      }
      answer.body().close();
      if (redirects == net.limits().redirects()) {
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
    } catch (java.net.URISyntaxException malformed) {
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

  private static URI withoutFragment(URI url) throws java.net.URISyntaxException {
    var text = url.toString();
    int hash = text.indexOf('#');
    return hash < 0 ? url : new URI(text.substring(0, hash));
  }

  private WebAnswer sent(URI url, Optional<PartialFile.Start> start)
      throws ArtifactException, InterruptedException {
    var request = HttpRequest.newBuilder(url).GET().header("User-Agent", "verwalter");
    net.proxies().credentials(url).ifPresent(it -> request.header("Proxy-Authorization", it));
    start.ifPresent(
        it ->
            request
                .header("Range", "bytes=" + it.bytes() + "-")
                .header("If-Range", it.validator()));
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
        net.client()
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
    long begin = net.ticks().nanos();
    while (true) {
      cancellation.check(ACTION, shown);
      checkStall(begin);
      try {
        return answer.get(WebBody.LOOK_NANOS, TimeUnit.NANOSECONDS);
      } catch (TimeoutException notYet) {
        // Then check again.
      }
    }
  }

  private void checkStall(long since) throws ArtifactException {
    Duration stall = net.limits().stall();
    if (net.ticks().nanos() - since > stall.toNanos()) {
      throw failed(
          Reason.STALLED,
          "no byte has arrived for %d seconds; %d bytes were downloaded"
              .formatted(stall.toSeconds(), done));
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

  private ArtifactException refused(WebAnswer answer) {
    int status = answer.status();
    var text = "the server answers with the status " + status;
    return switch (status) {
      case 404, 410 -> failed(Reason.NOT_FOUND, text);
      case 401, 403, 407, 451 -> failed(Reason.ACCESS_DENIED, text);
      default -> failed(Reason.UNREACHABLE, text);
    };
  }

  private ArtifactException failed(Reason reason, String why) {
    return new ArtifactException(reason, ACTION, shown, why);
  }

  private void receive(WebAnswer answer, FileChannel opened, OptionalLong total)
      throws IOException, ArtifactException, InterruptedException {
    try (var channel = opened) {
      var guard =
          new SpaceGuard(
              net.space(),
              ArtifactDisk.parent(partial.data()),
              net.limits().reserve(),
              ACTION,
              shown);
      if (total.isPresent()) {
        limit(total.getAsLong());
        guard.require(Math.max(0, total.getAsLong() - done));
      }
      long last = net.ticks().nanos();
      while (true) {
        cancellation.check(ACTION, shown);
        var piece = answer.body().poll();
        if (piece.isEmpty()) {
          checkStall(last);
          continue;
        } else if (piece.get().isEnd()) {
          end(piece.get(), total);
          return;
        }
        write(piece.get(), channel, guard, total);
        last = net.ticks().nanos();
        answer.body().more();
      }
    }
  }

  private void end(WebBody.Piece piece, OptionalLong total) throws ArtifactException {
    boolean isShort = total.isPresent() && done < total.getAsLong();
    if (piece.failure().isPresent() || isShort) {
      throw failed(
          Reason.CONNECTION_LOST,
          "the connection ended after %d bytes%s"
              .formatted(
                  done, total.isPresent() ? " of " + total.getAsLong() : ", before the last one"));
    }
  }

  private void write(WebBody.Piece piece, FileChannel channel, SpaceGuard guard, OptionalLong total)
      throws IOException, ArtifactException, InterruptedException {
    for (var bytes : piece.bytes()) {
      while (bytes.hasRemaining()) {
        int n = Math.min(bytes.remaining(), buffer.length);
        bytes.get(buffer, 0, n);
        limit(done + n);
        guard.writing(n);
        net.disk().write(channel, partial.data(), buffer, n);
        sha256.update(buffer, 0, n);
        done += n;
        progress.at(done, total, 0);
        net.bandwidth().spend(n, ACTION, shown, cancellation);
      }
    }
  }

  private void limit(long bytes) throws ArtifactException {
    if (bytes > net.limits().bytes()) {
      throw failed(
          Reason.TOO_LARGE,
          "it has at least %d bytes; the limit is %d".formatted(bytes, net.limits().bytes()));
    }
  }
}
