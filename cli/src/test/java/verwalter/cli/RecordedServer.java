package verwalter.cli;

import java.io.IOException;
import verwalter.client.testkit.ScriptedServer;

/**
 * The recorded answers on a port, until standard input ends: for taking class lists and times of
 * {@code vw} without an agent. Needs nothing but the classes of this module and its libraries.
 */
final class RecordedServer {
  public static void main(String[] arguments) throws IOException {
    try (var server = new ScriptedServer(new Recorded())) {
      System.out.println(server.url());
      System.in.transferTo(System.out);
    }
  }

  private RecordedServer() {}
}
