package verwalter.cluster.forks;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import verwalter.certificates.PkiFiles;
import verwalter.stores.local.LocalStore;
import verwalter.stores.local.LogCopy;
import verwalter.stores.local.Options;

/** Forks in a directory of the file system, which need not exist. Thread-safe. */
final class ForkDirectory implements ForkDisk {
  private final Path directory;

  /** Opened once: each opening deletes what another write has not finished. */
  private final Map<Path, PkiFiles> opened = new HashMap<>();

  ForkDirectory(Path directory) {
    this.directory = directory;
  }

  private synchronized PkiFiles files(Path folder) throws IOException {
    var files = opened.get(folder);
    if (files == null) {
      files = PkiFiles.in(folder);
      opened.put(folder, files);
    }
    return files;
  }

  private Path folderOf(Path file) {
    var folder = file.getParent();
    return folder == null ? directory : folder;
  }

  private static String nameOf(Path file) {
    return String.valueOf(file.getFileName());
  }

  @Override
  public Optional<String> read(String file) throws IOException {
    var path = directory.resolve(file);
    return Files.isDirectory(folderOf(path))
        ? files(folderOf(path)).read(nameOf(path))
        : Optional.empty();
  }

  @Override
  public void write(String file, String text) throws IOException {
    var path = directory.resolve(file);
    files(folderOf(path)).write(nameOf(path), text);
  }

  @Override
  public void delete(String file) throws IOException {
    var path = directory.resolve(file);
    if (Files.isDirectory(folderOf(path))) {
      files(folderOf(path)).delete(nameOf(path));
    }
  }

  @Override
  public void moveFile(String file, String folder) throws IOException {
    Files.createDirectories(directory.resolve(folder));
    move(file, folder + "/" + file);
  }

  private void move(String from, String to) throws IOException {
    Files.move(directory.resolve(from), directory.resolve(to), StandardCopyOption.ATOMIC_MOVE);
    force(folderOf(directory.resolve(to)));
    force(folderOf(directory.resolve(from)));
  }

  private static void force(Path folder) throws IOException {
    try (var channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  public boolean hasFolder(String folder) {
    return Files.isDirectory(directory.resolve(folder));
  }

  @Override
  public List<String> folders(String prefix) throws IOException {
    var names = new ArrayList<String>();
    if (Files.isDirectory(directory)) {
      try (var found = Files.newDirectoryStream(directory, prefix + "*")) {
        found.forEach(each -> names.add(nameOf(each)));
      }
    }
    return names;
  }

  @Override
  public void moveFolder(String from, String to) throws IOException {
    Files.createDirectories(folderOf(directory.resolve(to)));
    move(from, to);
  }

  @Override
  public synchronized void deleteFolder(String folder) throws IOException {
    var path = directory.resolve(folder);
    opened.remove(path);
    if (!Files.isDirectory(path)) {
      return;
    }
    try (var files = Files.list(path)) {
      for (var file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(path);
  }

  @Override
  public LogCopy copy(String folder, long logBytes, Supplier<String> uids) throws IOException {
    files(directory);
    return LogCopy.open(directory.resolve(folder), logBytes, uids);
  }

  @Override
  public LocalStore store(
      String folder, Options options, Executor executor, InstantSource clock, Supplier<String> uids)
      throws IOException {
    return LocalStore.open(directory.resolve(folder), options, executor, clock, uids);
  }

  @Override
  public String place(String folder) {
    return directory.resolve(folder).toString();
  }
}
