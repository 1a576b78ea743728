package verwalter.client.transport;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.io.TempDir;
import verwalter.client.testkit.ReceivedRequest;
import verwalter.client.testkit.ScriptedAnswer;
import verwalter.client.testkit.ScriptedServer;
import verwalter.client.testkit.SocketTransportContract;

class UnixTransportTest extends SocketTransportContract {
  private final AtomicInteger sockets = new AtomicInteger();
  @TempDir private Path directory;

  @Override
  protected ScriptedServer server(Function<ReceivedRequest, ScriptedAnswer> script) {
    return ScriptedServer.unix(script, directory.resolve(sockets.incrementAndGet() + ".sock"));
  }
}
