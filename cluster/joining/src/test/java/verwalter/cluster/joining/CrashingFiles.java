package verwalter.cluster.joining;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import verwalter.certificates.PkiFiles;

/**
 * Files of a process that crashes at one of its writes. A crash before and one after a write are
 * different crashes.
 *
 * @param left the number of steps until the crash, shared by the files of one process
 */
record CrashingFiles(PkiFiles files, AtomicInteger left) implements PkiFiles {
  private void step() throws IOException {
    if (left.decrementAndGet() < 0) {
      throw new IOException("crashed");
    }
  }

  @Override
  public Optional<String> read(String name) throws IOException {
    return files.read(name);
  }

  @Override
  public Object stamp(String name) throws IOException {
    return files.stamp(name);
  }

  @Override
  public void write(String name, String content) throws IOException {
    step();
    files.write(name, content);
    step();
  }

  @Override
  public void delete(String name) throws IOException {
    step();
    files.delete(name);
    step();
  }

  @Override
  public String place(String name) {
    return files.place(name);
  }
}
