package verwalter.render.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The real disk until a given step. Then the machine stops and stays stopped, or one operation
 * fails.
 */
public final class BreakingDisk implements Disk {
  private final Disk disk = new LocalDisk();
  private final Kind kind;
  private int left;
  private boolean stopped;

  /** How it breaks. */
  public enum Kind {
    /** The machine stops; the operation did not happen. */
    STOP_BEFORE,
    /** The machine stops; half of the operation happened, if it has parts. */
    STOP_AMID,
    /** The machine stops after the operation. */
    STOP_AFTER,
    /** The operation fails; later ones succeed. */
    FAIL
  }

  /** The machine is stopped. */
  public static final class Stopped extends Error {
    private static final long serialVersionUID = 1;
  }

  public BreakingDisk(int after, Kind kind) {
    this.left = after;
    this.kind = kind;
  }

  /** The code that may break. */
  @FunctionalInterface
  interface Operation {
    void run() throws IOException;
  }

  /** Whether it broke. */
  public boolean broke() {
    return left < 0;
  }

  void step(Operation operation, Operation half) throws IOException {
    if (stopped) {
      throw new Stopped();
    }
    if (left-- != 0) {
      operation.run();
      return;
    }
    stopped = kind != Kind.FAIL;
    switch (kind) {
      case STOP_AMID, FAIL -> half.run();
      case STOP_AFTER -> operation.run();
      case STOP_BEFORE -> {}
    }
    if (stopped) {
      throw new Stopped();
    }
    throw new IOException("no space left on device");
  }

  @Override
  public void within(Path directory, Work work) throws IOException {
    disk.within(directory, work);
  }

  @Override
  public void create(Path file, byte[] content, Mode mode) throws IOException {
    step(
        () -> disk.create(file, content, mode),
        () -> disk.create(file, Arrays.copyOf(content, content.length / 2), mode));
  }

  @Override
  public void scratch(Path file, byte[] content, Mode mode) throws IOException {
    step(
        () -> disk.scratch(file, content, mode),
        () -> disk.scratch(file, Arrays.copyOf(content, content.length / 2), mode));
  }

  @Override
  public void overwrite(Path file, long from, byte[] content) throws IOException {
    step(
        () -> disk.overwrite(file, from, content),
        () -> disk.overwrite(file, from, Arrays.copyOf(content, content.length / 2)));
  }

  @Override
  public String boot() {
    return disk.boot();
  }

  @Override
  public void link(Path link, Path target) throws IOException {
    step(() -> disk.link(link, target), () -> {});
  }

  @Override
  public void chown(Path file, Owner owner, Mode mode) throws IOException {
    step(() -> disk.chown(file, owner, mode), () -> {});
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    step(() -> disk.rename(from, to), () -> {});
  }

  @Override
  public void delete(Path file) throws IOException {
    step(() -> disk.delete(file), () -> {});
  }

  @Override
  public void makeDirectory(Path directory) throws IOException {
    step(() -> disk.makeDirectory(directory), () -> {});
  }

  @Override
  public void sync(Path path) throws IOException {
    step(() -> disk.sync(path), () -> {});
  }
}
