package verwalter.supervisor.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.supervisor.program.Program;

/**
 * The secrets of runs: a directory for each run, with copies of files that only the user of its
 * program may read. Their contents are nowhere else, and in no message.
 *
 * @param root the directory of all of them, in memory if the machine has one
 * @param own the user id of the agent
 */
record Credentials(Path root, long own) {
  private static final Logger LOG = LoggerFactory.getLogger(Credentials.class);

  /** The environment variable with the directory, as systemd names it. */
  static final String VARIABLE = "CREDENTIALS_DIRECTORY";

  /** The limit of the size of one file, in bytes. */
  private static final int MOST_BYTES = 1 << 20;

  private static final long ROOT = 0;

  /** The directory that a root agent uses: it is in memory on most machines. */
  private static final Path RUN = Path.of("/run/verwalter/secrets");

  /** The beginning of the names of commands of {@code vw exec}. */
  private static final String EXEC = "exec-";

  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE = mode("rwx------");
  private static final Set<PosixFilePermission> PASSABLE =
      PosixFilePermissions.fromString("rwx--x--x");
  private static final FileAttribute<Set<PosixFilePermission>> SECRET = mode("r--------");

  private static FileAttribute<Set<PosixFilePermission>> mode(String text) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text));
  }

  /**
   * Those of a supervisor.
   *
   * @param directory of its runs; an agent that is not root keeps secrets beside it
   */
  static Credentials of(long own, RunDirectory runs, Path directory) {
    var scope = runs.scope().replace("/", "");
    return new Credentials(
        own == ROOT ? RUN.resolve(scope) : directory.resolveSibling("secrets"), own);
  }

  private Path directory(String id) {
    return root.resolve(id);
  }

  /**
   * Makes the directory of a run, and adds its path to the environment of the program.
   *
   * @throws IOException if a file cannot be copied, with its name and the reason
   */
  Program prepared(String id, Program program) throws IOException {
    var secrets = program.secrets();
    if (secrets.sources().isEmpty()) {
      return program;
    }
    remove(id);
    try {
      makePassable(root);
      var directory = Files.createDirectory(directory(id), PRIVATE);
      for (var secret : secrets.sources().entrySet()) {
        var copy = directory.resolve(secret.getKey());
        copy(secret.getKey(), secret.getValue(), copy);
        give(copy, secrets.user(), secrets.group());
      }
      give(directory, secrets.user(), secrets.group());
      return program.withVariable(VARIABLE, directory.toString());
    } catch (IOException failed) {
      remove(id);
      throw failed;
    }
  }

  /** As {@link #prepared} for a command beside a process. */
  Program preparedForExec(String id, Program program) throws IOException {
    return prepared(EXEC + id, program);
  }

  private void makePassable(Path directory) throws IOException {
    if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    var parent = directory.getParent();
    if (parent != null && !Files.isDirectory(parent)) {
      makePassable(parent);
    }
    Files.createDirectory(directory, PRIVATE);
    Files.setPosixFilePermissions(directory, PASSABLE);
  }

  private void give(Path path, long user, long group) throws IOException {
    if (own == ROOT && user != ROOT) {
      Files.setAttribute(path, "unix:gid", Math.toIntExact(group), LinkOption.NOFOLLOW_LINKS);
      Files.setAttribute(path, "unix:uid", Math.toIntExact(user), LinkOption.NOFOLLOW_LINKS);
    }
  }

  private void copy(String name, Path source, Path target) throws IOException {
    var content = read(name, source);
    try (var out =
        FileChannel.open(
            target, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), SECRET)) {
      var bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
    } finally {
      Arrays.fill(content, (byte) 0);
    }
  }

  private byte[] read(String name, Path source) throws IOException {
    var file = resolve(name, source);
    try {
      if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        throw refused(
            name, source, Files.exists(file) ? "is not a regular file" : "does not exist");
      }
      int mode = ((Number) Files.getAttribute(file, "unix:mode")).intValue();
      long owner = ((Number) Files.getAttribute(file, "unix:uid")).longValue();
      if ((mode & 077) != 0) {
        throw refused(
            name,
            source,
            "may be used by other users, since its mode is %04o; run: chmod 600 %s"
                .formatted(mode & 07777, file));
      }
      if (owner != ROOT && owner != own) {
        throw refused(name, source, "belongs to user %d, not to the agent's".formatted(owner));
      }
      byte[] content;
      try (var in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
        content = in.readNBytes(MOST_BYTES + 1);
      }
      if (content.length > MOST_BYTES) {
        throw refused(name, source, "has more than %d bytes".formatted(MOST_BYTES));
      }
      return content;
    } catch (NoSuchFileException gone) {
      throw refused(name, source, "does not exist");
    } catch (AccessDeniedException denied) {
      throw refused(name, source, "cannot be read by the agent");
    }
  }

  private Path resolve(String name, Path source) throws IOException {
    try {
      return new SecretPath(own).resolve(source);
    } catch (AccessDeniedException denied) {
      throw refused(name, source, "cannot be read by the agent");
    } catch (IOException unsafe) {
      throw refused(name, source, String.valueOf(unsafe.getMessage()));
    }
  }

  private static IOException refused(String name, Path source, String why) {
    return new IOException("secret %s: %s %s".formatted(name, source, why));
  }

  /** Removes the directory of a run that is over. Does nothing if there is none. */
  void remove(String id) {
    var directory = directory(id);
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try {
      for (var each : entries(directory)) {
        Files.deleteIfExists(each);
      }
      Files.deleteIfExists(directory);
    } catch (IOException stays) {
      LOG.warn("{} cannot be removed: {}", directory, stays.toString());
    }
  }

  void removeOfExec(String id) {
    remove(EXEC + id);
  }

  /** Removes the directories of all commands of {@code vw exec}. */
  void removeAllOfExec() {
    ids().stream().filter(id -> id.startsWith(EXEC)).forEach(this::remove);
  }

  /** Removes the directories of runs that are over, unless they were made since a time. */
  void retain(Predicate<String> isActive, Instant since) {
    ids().stream()
        .filter(id -> !id.startsWith(EXEC) && !isActive.test(id))
        .filter(id -> made(id).filter(at -> at.isBefore(since)).isPresent())
        .forEach(this::remove);
  }

  private Optional<Instant> made(String id) {
    try {
      return Optional.of(Files.getLastModifiedTime(directory(id)).toInstant());
    } catch (IOException gone) {
      return Optional.empty();
    }
  }

  private List<String> ids() {
    try {
      return entries(root).stream().map(each -> String.valueOf(each.getFileName())).toList();
    } catch (IOException none) {
      return List.of();
    }
  }

  private static List<Path> entries(Path directory) throws IOException {
    try (var entries = Files.list(directory)) {
      return entries.toList();
    }
  }
}
