package verwalter.agent;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import java.util.concurrent.TimeUnit;
import verwalter.controllers.process.ProbeResult;
import verwalter.controllers.process.Prober;
import verwalter.model.ProcessSpec;

/**
 * Probes processes by HTTP and TCP on the event loops of Vert.x. Does not follow redirects, and
 * reads no more of an answer than its head.
 */
final class NetworkProber implements Prober {
  /** The limit of concurrent connections to one process. */
  private static final int AT_A_TIME = 4;

  private final Vertx vertx;
  private final HttpClient http;
  private final NetClient tcp;

  NetworkProber(Vertx vertx) {
    this.vertx = vertx;
    this.http =
        vertx.createHttpClient(
            new HttpClientOptions().setKeepAlive(false).setMaxHeaderSize(32 << 10),
            new PoolOptions().setHttp1MaxSize(AT_A_TIME).setMaxWaitQueueSize(AT_A_TIME));
    this.tcp = vertx.createNetClient(new NetClientOptions());
  }

  @Override
  public Future<ProbeResult> probe(
      ProcessSpec.Probe probe, String slot, ProcessSpec.Command command) {
    var url = probe.http();
    var address = probe.tcp();
    if (url.isPresent()) {
      return request(probe, url.get());
    }
    return address.isPresent()
        ? connect(probe, address.get())
        : Future.succeededFuture(ProbeResult.unknown("the probe has neither http nor tcp"));
  }

  private Future<ProbeResult> request(ProcessSpec.Probe probe, String url) {
    var result = Promise.<ProbeResult>promise();
    RequestOptions options;
    try {
      options =
          new RequestOptions()
              .setMethod(HttpMethod.GET)
              .setAbsoluteURI(url)
              .setFollowRedirects(false)
              .setConnectTimeout(millis(probe))
              .putHeader("User-Agent", "verwalter");
    } catch (IllegalArgumentException | io.vertx.core.VertxException invalid) {
      return Future.succeededFuture(
          ProbeResult.unknown("%s is not a URL: %s".formatted(url, invalid.getMessage())));
    }
    var asking = http.request(options);
    long timer =
        vertx.setTimer(
            millis(probe),
            late -> {
              if (result.tryComplete(late(probe, url))) {
                asking.onSuccess(HttpClientRequest::reset);
              }
            });
    asking
        .compose(HttpClientRequest::send)
        .onFailure(failure -> result.tryComplete(ProbeResult.failure(url + ": " + words(failure))))
        .onSuccess(response -> result.tryComplete(judge(probe, url, response)));
    return result.future().onComplete(done -> vertx.cancelTimer(timer));
  }

  private static ProbeResult judge(
      ProcessSpec.Probe probe, String url, HttpClientResponse response) {
    // The rest of the answer is not wanted.
    response.exceptionHandler(cut -> {});
    response.request().reset();
    int status = response.statusCode();
    return status >= probe.lowestStatus() && status <= probe.highestStatus()
        ? ProbeResult.SUCCESS
        : ProbeResult.failure("HTTP %d from %s".formatted(status, url));
  }

  private Future<ProbeResult> connect(ProcessSpec.Probe probe, String address) {
    int colon = address.lastIndexOf(':');
    var result = Promise.<ProbeResult>promise();
    var connecting =
        tcp.connect(Integer.parseInt(address.substring(colon + 1)), address.substring(0, colon));
    long timer = vertx.setTimer(millis(probe), late -> result.tryComplete(late(probe, address)));
    connecting
        .onSuccess(
            socket -> {
              closed(socket);
              result.tryComplete(ProbeResult.SUCCESS);
            })
        .onFailure(
            failure -> result.tryComplete(ProbeResult.failure(address + ": " + words(failure))));
    return result.future().onComplete(done -> vertx.cancelTimer(timer));
  }

  private static void closed(NetSocket socket) {
    socket.close();
  }

  private static ProbeResult late(ProcessSpec.Probe probe, String address) {
    return ProbeResult.failure(
        "no answer from %s in %d s".formatted(address, probe.timeoutSeconds()));
  }

  private static int millis(ProcessSpec.Probe probe) {
    return Math.toIntExact(TimeUnit.SECONDS.toMillis(probe.timeoutSeconds()));
  }

  /** The first line of a failure, without the address that Netty adds. */
  private static String words(Throwable failure) {
    var message = String.valueOf(failure.getMessage());
    int address = message.indexOf(": /");
    return address < 0 ? message : message.substring(0, address);
  }
}
