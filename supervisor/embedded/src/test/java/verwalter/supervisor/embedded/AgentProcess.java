package verwalter.supervisor.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A supervisor in a JVM of its own, to be killed. */
final class AgentProcess {
  public static void main(String[] arguments) throws Exception {
    var site = new Site(Path.of(arguments[0]));
    site.open();
    System.out.println("open");
    Thread.currentThread().join();
  }

  static Process start(Path base) throws IOException {
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
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private AgentProcess() {}
}
