package verwalter.render.apply;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import verwalter.model.TemplateOutput;
import verwalter.render.MemoryDirectory;
import verwalter.render.RenderFailed;
import verwalter.render.Trees;
import verwalter.render.disk.Disk;
import verwalter.render.disk.LocalDisk;
import verwalter.render.disk.StepDisk;
import verwalter.render.recipe.Rendered;
import verwalter.render.recipe.Renderer;

/**
 * Kills a process with {@code kill -9} while it applies a recipe. {@code -Drecipe.kill.every=1}
 * tries each step; the default build tries some.
 */
@SuppressWarnings("NullAway.Init") // JUnit initializes the field
class KillTest {
  private static final int EVERY = Integer.getInteger("recipe.kill.every", 12);

  @TempDir(factory = MemoryDirectory.class)
  Path temp;

  /** The process that is killed. */
  static final class Victim {

    /** Arguments: the directory, and the number of steps before the kill. */
    public static void main(String[] arguments) throws Exception {
      var directory = Path.of(arguments[0]);
      var disk = new MortalDisk(Integer.parseInt(arguments[1]));
      application(directory, disk).apply(rendered(directory), List.of());
      application(directory, disk).settle();
    }

    private Victim() {}
  }

  /** The disk of a process that kills itself with a signal. */
  private static final class MortalDisk extends StepDisk {
    private int left;

    MortalDisk(int left) {
      this.left = left;
    }

    @Override
    protected void before() {
      if (left-- == 0) {
        try {
          new ProcessBuilder("kill", "-9", String.valueOf(ProcessHandle.current().pid())).start();
          new CountDownLatch(1).await();
        } catch (IOException | InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }

  private static Application application(Path directory, Disk disk) {
    var programs = new AlwaysWell();
    return new Application(
        directory.resolve("state"),
        programs,
        (sandbox, text, source) -> new TemplateOutput.ProcessFile(sandbox, Map.of()),
        disk);
  }

  /** Every program succeeds. */
  private static final class AlwaysWell implements Programs {
    @Override
    public Outcome run(List<String> argv) {
      return new Outcome.Exited(0, "");
    }

    @Override
    public Outcome runAsRoot(List<String> argv) {
      return run(argv);
    }
  }

  private static Rendered rendered(Path directory) throws RenderFailed {
    var root = directory.resolve("root");
    return new Renderer(root).render(directory.resolve("templates"), "shop", Map.of());
  }

  private void reset() throws IOException {
    for (var name : List.of("root", "state")) {
      if (Files.exists(temp.resolve(name))) {
        Trees.delete(temp.resolve(name));
      }
    }
    CommandsCrashTest.oldTree(temp.resolve("root"));
  }

  @Test
  @Timeout(600)
  void killedRunIsUndoneOrComplete() throws Exception {
    Trees.write(temp, "templates/list.j2", "=a\n1\n=b\n2\n=c\n3\n");
    Trees.write(temp, "templates/conf.j2", "keep\nalso\n");
    Trees.write(temp, "templates/a.render.yaml", CommandsCrashTest.RECIPE);
    reset();
    var before = Trees.snapshot(temp.resolve("root"));
    var counting = new CountingDisk();
    application(temp, counting).apply(rendered(temp), List.of());
    application(temp, counting).settle();
    var after = Trees.snapshot(temp.resolve("root"));
    assertThat(counting.steps).isGreaterThan(50);

    int old = 0;
    for (int at = counting.steps - 1; at >= 0; at -= EVERY) {
      reset();
      assertThat(victim(at)).as("killed at step %s", at).isEqualTo(128 + 9);
      application(temp, new LocalDisk()).recover();
      var tree = Trees.snapshot(temp.resolve("root"));
      assertThat(tree).as("killed at step %s", at).isIn(before, after);
      old += tree.equals(before) ? 1 : 0;
      application(temp, new LocalDisk()).apply(rendered(temp), List.of());
      assertThat(Trees.snapshot(temp.resolve("root"))).as("after step %s", at).isEqualTo(after);
    }
    assertThat(old).isPositive();
  }

  private int victim(int steps) throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var process =
        new ProcessBuilder(
                java,
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                Victim.class.getName(),
                temp.toString(),
                String.valueOf(steps))
            .inheritIO()
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  private static final class CountingDisk extends StepDisk {
    private int steps;

    @Override
    protected void before() {
      steps++;
    }
  }
}
