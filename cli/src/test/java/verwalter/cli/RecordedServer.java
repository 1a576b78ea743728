package verwalter.cli;

import java.io.IOException;
import verwalter.client.testkit.ScriptedServer;

/**
 * Serves the recorded responses until standard input ends, to take class lists and times of {@code
 * vw} without an agent. Needs only the classes of this module and its libraries.
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
