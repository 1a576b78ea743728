package verwalter.controllers.config;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import verwalter.model.json.DecodeException;
import verwalter.model.json.Problem;
import verwalter.model.service.ServiceFile;
import verwalter.model.service.ServiceSource;

/**
 * The directory {@code roles/}: each file {@code NAME.yaml} in it describes a whole service, whose
 * templates are in the directory {@code NAME}. Other files, hidden files and backups are ignored.
 * Links to files are read.
 */
public final class RolesDirectory {
  /** The limit of the size of one file, in bytes. */
  private static final int FILE_BYTES = 1 << 20;

  /** The limit of the number of files. */
  private static final int MOST = 10_000;

  private final Path root;
  private final MountCheck mounts;

  /**
   * @param config the configuration directory, parent of {@code roles/}
   */
  public RolesDirectory(Path config, RuntimeDirectory.MountRecord mounts) {
    this.root = config.resolve("roles");
    this.mounts = new MountCheck(config, mounts);
  }

  /**
   * The contents of the files.
   *
   * @param services the service of each file that could be read
   * @param problems for each other file, by the name of its role: line, column and reason
   */
  record Reading(Map<String, ServiceSource> services, Map<String, List<String>> problems) {}

  /**
   * Reads all files. Blocks on disk I/O.
   *
   * @throws NoSuchFileException if there is no such directory
   * @throws IOException if it cannot be read, was unmounted, or a limit is exceeded
   */
  Reading read() throws IOException {
    if (!Files.isDirectory(root)) {
      throw new NoSuchFileException(root.toString());
    }
    var services = new TreeMap<String, ServiceSource>();
    var problems = new TreeMap<String, List<String>>();
    for (var file : list()) {
      var name = FileNames.key(String.valueOf(file.getFileName()));
      try {
        if (services.containsKey(name) || problems.containsKey(name)) {
          throw refusal(file, "another file describes the role " + name + "; remove one of them");
        }
        if (!ServiceFile.isName(name)) {
          throw refusal(file, ServiceFile.NAME_RULE + "; rename the file");
        }
        var text = text(file);
        var service = ServiceFile.read(text, file.toString());
        var templates = new TemplateTexts(root.resolve(name), file.toString(), text);
        services.put(name, new ServiceSource(service, templates.of(service)));
      } catch (DecodeException wrong) {
        services.remove(name);
        wrong
            .problems()
            .forEach(
                each ->
                    problems.computeIfAbsent(name, any -> new ArrayList<>()).add(each.toString()));
      }
    }
    mounts.check(root, services.isEmpty() && problems.isEmpty());
    return new Reading(services, problems);
  }

  private List<Path> list() throws IOException {
    var files = new ArrayList<Path>();
    try (var entries = Files.newDirectoryStream(root)) {
      for (var entry : entries) {
        var name = String.valueOf(entry.getFileName());
        var extension = FileNames.extension(name);
        if (!FileNames.isSkipped(name) && (extension.equals("yaml") || extension.equals("yml"))) {
          files.add(entry);
        }
        if (files.size() > MOST) {
          throw new IOException(root + " has more than " + MOST + " files");
        }
      }
    } catch (DirectoryIteratorException e) {
      throw Objects.requireNonNull(e.getCause());
    }
    files.sort(null);
    return files;
  }

  /** The text of a file. */
  static String text(Path file) throws DecodeException {
    byte[] content;
    try {
      if (!Files.isRegularFile(file)) {
        throw refusal(file, "is not a regular file");
      }
      if (KernelFiles.contain(file)) {
        throw refusal(file, "is a file of the kernel");
      }
      try (var in = Files.newInputStream(file)) {
        content = in.readNBytes(FILE_BYTES + 1);
      }
    } catch (IOException e) {
      throw refusal(file, "cannot be read: " + e.getClass().getSimpleName());
    }
    if (content.length > FILE_BYTES) {
      throw refusal(file, "has more than " + FILE_BYTES + " bytes");
    }
    return Utf8Files.decode(content, file.toString());
  }

  private static DecodeException refusal(Path file, String message) {
    return new DecodeException(Problem.at(file.toString(), 0, 0, message));
  }
}
