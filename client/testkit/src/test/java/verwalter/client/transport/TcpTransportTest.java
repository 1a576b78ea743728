package verwalter.client.transport;

import java.util.function.Function;
import verwalter.client.testkit.ReceivedRequest;
import verwalter.client.testkit.ScriptedAnswer;
import verwalter.client.testkit.ScriptedServer;
import verwalter.client.testkit.SocketTransportContract;

class TcpTransportTest extends SocketTransportContract {
  @Override
  protected ScriptedServer server(Function<ReceivedRequest, ScriptedAnswer> script) {
    return new ScriptedServer(script);
  }
}
