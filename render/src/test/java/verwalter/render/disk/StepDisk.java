package verwalter.render.disk;

import java.io.IOException;
import java.nio.file.Path;

/** The real disk, with a hook before each operation. */
public abstract class StepDisk implements Disk {
  private final Disk disk = new LocalDisk();

  protected abstract void before();

  @Override
  public void within(Path directory, Work work) throws IOException {
    before();
    disk.within(directory, work);
  }

  @Override
  public void create(Path file, byte[] content, Mode mode) throws IOException {
    before();
    disk.create(file, content, mode);
  }

  @Override
  public void scratch(Path file, byte[] content, Mode mode) throws IOException {
    before();
    disk.scratch(file, content, mode);
  }

  @Override
  public void overwrite(Path file, long from, byte[] content) throws IOException {
    before();
    disk.overwrite(file, from, content);
  }

  @Override
  public String boot() {
    return disk.boot();
  }

  @Override
  public void link(Path link, Path target) throws IOException {
    before();
    disk.link(link, target);
  }

  @Override
  public void chown(Path file, Owner owner, Mode mode) throws IOException {
    before();
    disk.chown(file, owner, mode);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    before();
    disk.rename(from, to);
  }

  @Override
  public void delete(Path file) throws IOException {
    before();
    disk.delete(file);
  }

  @Override
  public void makeDirectory(Path directory) throws IOException {
    before();
    disk.makeDirectory(directory);
  }

  @Override
  public void sync(Path directory) throws IOException {
    before();
    disk.sync(directory);
  }
}
