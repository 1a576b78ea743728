package verwalter.agent;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * {@code verwalter warmup}: starts agents with the example, so that the launcher can record which
 * classes they need. The launcher does so once after a build, in steps that it asks for by lines of
 * the standard input:
 *
 * <ol>
 *   <li>One agent starts, and its address is printed once everything runs.
 *   <li>After an empty line it founds a cluster, and the address of its socket is printed.
 *   <li>After a line with a join token two others join it, and the address of one is printed.
 * </ol>
 *
 * <p>At the end of the input, after a failure and after a signal all of them end.
 */
@Command(name = "warmup", hidden = true)
final class WarmupCommand implements Callable<Integer> {
  @Override
  public Integer call() throws Exception {
    var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    var root = Files.createTempDirectory("vw"); // paths of sockets are short
    try (var cluster = WarmupCluster.in(root)) {
      Runtime.getRuntime().addShutdownHook(new Thread(cluster::terminate, "shutdown"));
      System.out.println(cluster.startAlone(new PrintWriter(Writer.nullWriter())));
      if (input.readLine() != null) {
        System.out.println(cluster.found());
        var token = input.readLine();
        if (token != null) {
          System.out.println(cluster.join(token));
          input.readLine();
        }
      }
    } finally {
      Example.removeTree(root);
    }
    return ExitCode.OK.code();
  }
}
