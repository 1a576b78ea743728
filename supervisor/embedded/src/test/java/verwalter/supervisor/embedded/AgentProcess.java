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
    site.open();
    System.out.println("open");
    Thread.currentThread().join();
  }

  static Process start(Path base) throws IOException {
    return start(base, Map.of());
  }

  /** Starts one with additional variables in its environment. */
  static Process start(Path base, Map<String, String> environment) throws IOException {
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
