package verwalter.e2e.simulation;

import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import verwalter.cluster.forks.ForkDisk;
import verwalter.stores.local.LocalStore;
import verwalter.stores.local.LogCopy;
import verwalter.stores.local.Options;
import verwalter.stores.replicatedkit.VolatileDisk;

/** Forks in memory, whose disk can fail before or after each change. */
final class VolatileForks implements ForkDisk {
  private final TreeMap<String, String> files = new TreeMap<>();
  private final TreeMap<String, VolatileDisk> folders = new TreeMap<>();
  private int points;
  private int failAt = -1;
  private boolean down;

  /** A change of files or folders. */
  private interface Change {
    void run() throws IOException;
  }

  /** Fails permanently after this number of other changes. */
  void failAfter(int later) {
    failAt = points + later;
  }

  /** Does not fail any more. */
  void repair() {
    failAt = -1;
  }

  boolean isDown() {
    return down || folders.values().stream().anyMatch(VolatileDisk::isDown);
  }

  /** The forks after a crash. */
  VolatileForks afterCrash(RandomGenerator random) {
    var next = new VolatileForks();
    next.files.putAll(files);
    folders.forEach((name, disk) -> next.folders.put(name, disk.afterCrash(random)));
    return next;
  }

  private void point() throws IOException {
    if (down) {
      throw new IOException("the disk is down");
    }
    if (points++ == failAt) {
      down = true;
      throw new IOException("the power failed");
    }
  }

  private void durably(Change change) throws IOException {
    point();
    change.run();
    point();
  }

  @Override
  public Optional<String> read(String file) {
    return Optional.ofNullable(files.get(file));
  }

  @Override
  public void write(String file, String text) throws IOException {
    durably(() -> files.put(file, text));
  }

  @Override
  public void delete(String file) throws IOException {
    durably(() -> files.remove(file));
  }

  @Override
  public void moveFile(String file, String folder) throws IOException {
    durably(() -> files.put(folder + "/" + file, files.remove(file)));
  }

  @Override
  public boolean hasFolder(String folder) {
    return folders.containsKey(folder);
  }

  @Override
  public List<String> folders(String prefix) {
    return files.keySet().stream()
        .filter(file -> file.startsWith(prefix) && file.contains("/"))
        .map(file -> file.substring(0, file.indexOf('/')))
        .distinct()
        .toList();
  }

  @Override
  public void moveFolder(String from, String to) throws IOException {
    durably(() -> folders.put(to, folders.remove(from)));
  }

  @Override
  public void deleteFolder(String folder) throws IOException {
    durably(
        () -> {
          folders.remove(folder);
          files.keySet().removeIf(file -> file.startsWith(folder + "/"));
        });
  }

  private VolatileDisk folder(String name) throws IOException {
    if (!folders.containsKey(name)) {
      durably(() -> folders.put(name, new VolatileDisk()));
    }
    return folders.get(name);
  }

  @Override
  public LogCopy copy(String folder, long logBytes, Supplier<String> uids) throws IOException {
    return LogCopy.open(folder(folder), logBytes, uids);
  }

  @Override
  public LocalStore store(
      String folder, Options options, Executor executor, InstantSource clock, Supplier<String> uids)
      throws IOException {
    return LocalStore.open(folder(folder), options, executor, clock, uids);
  }

  @Override
  public String place(String folder) {
    return "the folder " + folder;
  }
}
