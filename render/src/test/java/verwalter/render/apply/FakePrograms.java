package verwalter.render.apply;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import verwalter.render.disk.Disk;

/**
 * Programs without effect, or with that of a test. They stop with the machine, and fail when its
 * disk fails.
 */
final class FakePrograms implements Programs {
  private final Disk disk;
  private final Path somewhere;
  private final List<String> ran = new ArrayList<>();
  private Effect effect = () -> {};

  /** What a program does to the machine. */
  @FunctionalInterface
  interface Effect {
    void run() throws IOException;
  }

  /**
   * Programs on a machine.
   *
   * @param somewhere an existing directory
   */
  FakePrograms(Disk disk, Path somewhere) {
    this.disk = disk;
    this.somewhere = somewhere;
  }

  /** Sets the effect of each later program. */
  void doing(Effect what) {
    effect = what;
  }

  /** The names of the programs that succeeded. */
  List<String> ran() {
    return ran;
  }

  @Override
  public Outcome run(List<String> argv) {
    try {
      disk.sync(somewhere);
      effect.run();
    } catch (IOException e) {
      return new Outcome.Exited(1, "broken");
    }
    ran.add(argv.get(0));
    return new Outcome.Exited(0, "");
  }

  @Override
  public Outcome runAsRoot(List<String> argv) {
    return run(argv);
  }
}
