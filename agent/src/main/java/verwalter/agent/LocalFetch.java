package verwalter.agent;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.net.ConnectException;
import java.util.concurrent.TimeoutException;
import verwalter.metrics.Fetch;

/** Fetches metrics of processes on this machine by HTTP. Does not follow redirects. */
final class LocalFetch implements Fetch {
  private static final String HOST = "127.0.0.1";

  /** The limit of concurrent processes. */
  private static final int AT_A_TIME = 64;

  private final Vertx vertx;
  private final HttpClient client;

  LocalFetch(Vertx vertx) {
    this.vertx = vertx;
    this.client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setKeepAlive(false)
                .setDecompressionSupported(false)
                .setConnectTimeout((int) TIME)
                .setMaxHeaderSize(32 << 10),
            new PoolOptions().setHttp1MaxSize(2).setMaxWaitQueueSize(AT_A_TIME));
  }

  @Override
  public Future<String> get(int port, String path) {
    var answer = Promise.<String>promise();
    var asking =
        client.request(
            new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setHost(HOST)
                .setPort(port)
                .setURI(path)
                .setFollowRedirects(false)
                .putHeader("Accept", ACCEPT)
                .putHeader("User-Agent", "verwalter"));
    long timer =
        vertx.setTimer(
            TIME,
            late -> {
              if (answer.tryFail(new TimeoutException("no answer in %d ms".formatted(TIME)))) {
                asking.onSuccess(HttpClientRequest::reset);
              }
            });
    asking
        .compose(HttpClientRequest::send)
        .onFailure(failure -> answer.tryFail(plain(failure)))
        .onSuccess(response -> read(response, answer));
    return answer.future().onComplete(done -> vertx.cancelTimer(timer));
  }

  private static void read(HttpClientResponse response, Promise<String> answer) {
    response.exceptionHandler(failure -> answer.tryFail(plain(failure)));
    var type = response.headers().get("Content-Type");
    if (response.statusCode() != 200) {
      refuse(response, answer, "answers with status " + response.statusCode());
    } else if (type != null && type.startsWith("text/html")) {
      refuse(response, answer, "answers with a page for people instead of metrics");
    } else {
      var body = Buffer.buffer();
      response
          .handler(
              part -> {
                if (body.length() + part.length() > LARGEST) {
                  refuse(response, answer, "answers with more than %d bytes".formatted(LARGEST));
                } else {
                  body.appendBuffer(part);
                }
              })
          .endHandler(end -> answer.tryComplete(body.toString()));
    }
  }

  private static void refuse(HttpClientResponse response, Promise<String> answer, String why) {
    if (answer.tryFail(new java.io.IOException(why))) {
      response.request().reset();
    }
  }

  private static Throwable plain(Throwable failure) {
    return failure instanceof ConnectException ? new ConnectException("nobody listens") : failure;
  }
}
