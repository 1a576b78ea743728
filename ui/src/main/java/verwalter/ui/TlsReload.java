package verwalter.ui;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import verwalter.concurrent.Loop;
import verwalter.concurrent.TimedExecutor;
import verwalter.concurrent.Watch;
import verwalter.ui.port.ServerTlsFiles;

/**
 * The TLS options of a server from files, which are read again now and then. Files that cannot be
 * used change nothing. Belongs to the loop.
 */
final class TlsReload {
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private final ServerTlsFiles files;
  private final Loop loop;
  private final Consumer<String> problems;
  private List<byte[]> used = List.of();
  private TimedExecutor.Timer timer = () -> {};
  private boolean closed;

  TlsReload(ServerTlsFiles files, Loop loop, Consumer<String> problems) {
    this.files = files;
    this.loop = loop;
    this.problems = problems;
  }

  /** The options of the files as they are. Blocks. */
  ServerSSLOptions read() throws IOException {
    used = contents();
    return options(used);
  }

  private List<byte[]> contents() throws IOException {
    var certificate = Files.readAllBytes(files.certificate());
    var key = Files.readAllBytes(files.key());
    return files.clientAuthorities().isPresent()
        ? List.of(certificate, key, Files.readAllBytes(files.clientAuthorities().get()))
        : List.of(certificate, key);
  }

  private static ServerSSLOptions options(List<byte[]> contents) {
    var options = new ServerSSLOptions();
    options.setKeyCertOptions(
        new PemKeyCertOptions()
            .addCertValue(Buffer.buffer(contents.get(0)))
            .addKeyValue(Buffer.buffer(contents.get(1))));
    if (contents.size() > 2) {
      options.setTrustOptions(new PemTrustOptions().addCertValue(Buffer.buffer(contents.get(2))));
      options.setClientAuth(ClientAuth.REQUEST);
    }
    return options;
  }

  /** Applies the files whenever they change, until the returned watch is closed. */
  Watch follow(Function<ServerSSLOptions, Future<Boolean>> apply) {
    later(apply);
    return () -> {
      closed = true;
      timer.cancel();
    };
  }

  private void later(Function<ServerSSLOptions, Future<Boolean>> apply) {
    timer = loop.after(PAUSE, () -> compare(apply));
  }

  private void compare(Function<ServerSSLOptions, Future<Boolean>> apply) {
    loop.offload(this::contents)
        .compose(
            now -> {
              if (closed || isSame(now, used)) {
                return Future.succeededFuture();
              }
              used = now;
              return apply.apply(options(now)).<Void>mapEmpty();
            })
        .onFailure(
            why ->
                problems.accept(
                    "%s and %s cannot be used, the certificate of before stays in use: %s"
                        .formatted(files.certificate(), files.key(), why.getMessage())))
        .onComplete(
            any -> {
              if (!closed) {
                loop.execute(() -> later(apply));
              }
            });
  }

  private static boolean isSame(List<byte[]> one, List<byte[]> other) {
    return one.size() == other.size()
        && Stream.iterate(0, i -> i < one.size(), i -> i + 1)
            .allMatch(i -> Arrays.equals(one.get(i), Objects.requireNonNull(other.get(i))));
  }
}
