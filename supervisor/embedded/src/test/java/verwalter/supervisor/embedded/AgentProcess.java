package verwalter.supervisor.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A supervisor in a JVM of its own, to be killed. */
final class AgentProcess {
  public static void main(String[] arguments) throws Exception {
    var site = new Site(Path.of(arguments[0]));
    // Starts its work when the test says so.
    System.in.read();
    site.open();
    System.out.println("open");
    Thread.currentThread().join();
  }

  static Process start(Path base) throws IOException {
    var agent = startOnHold(base, Map.of());
    release(agent);
    return agent;
  }

  /** Lets an agent on hold open the supervisor. */
  static void release(Process agent) throws IOException {
    agent.getOutputStream().close();
  }

  /** Starts a JVM that does nothing before it is released, with additional variables. */
  static Process startOnHold(Path base, Map<String, String> environment) throws IOException {
    var command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                AgentProcess.class.getName(),
                base.toString()));
    var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().putAll(environment);
    return builder.start();
  }

  private AgentProcess() {}
}
