package verwalter.agent;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import verwalter.controllers.template.Accounts;
import verwalter.controllers.template.ServicePlace;
import verwalter.files.FileAccess;
import verwalter.model.TemplateOutput;

/**
 * The directory {@code services} in {@code --storage-dir} with the rendered files of services:
 * {@code ROLE/SET/PATH}, which everybody may read.
 *
 * <p>Users of processes may enter {@code --storage-dir}, where releases are, too. They may not list
 * it, and all that is private in it has modes of its own. Directories above it stay as they are.
 *
 * @param storage the real path of {@code --storage-dir}
 */
record LocalServicePlace(Path storage) implements ServicePlace {
  private static final String NAME = "services";

  private static final long ROOT = 0;
  private static final int MODE = 07777;
  private static final int PUBLIC = 0644;

  /** The place in an existing directory. */
  static LocalServicePlace into(Path storage) {
    try {
      return new LocalServicePlace(storage.toRealPath());
    } catch (IOException unreadable) {
      return new LocalServicePlace(storage.toAbsolutePath().normalize());
    }
  }

  private Path root() {
    return storage.resolve(NAME);
  }

  @Override
  public Path directory(String role, String name) {
    return root().resolve(role).resolve(name);
  }

  @Override
  public boolean isOurs(String path) {
    return Path.of(path).startsWith(root());
  }

  @Override
  public List<TemplateOutput.File> write(Path directory, Map<String, String> texts)
      throws IOException {
    var files = new ArrayList<TemplateOutput.File>();
    for (var text : texts.entrySet()) {
      var file = directory.resolve(text.getKey()).normalize();
      if (!file.startsWith(directory)) {
        throw new IOException(file + " is not below " + directory);
      }
      var bytes = text.getValue().getBytes(StandardCharsets.UTF_8);
      FileAccess.PUBLIC.makeDirectories(Objects.requireNonNull(file.getParent()));
      replace(file, bytes);
      files.add(new TemplateOutput.File(file.toString(), sha256(bytes), "0644", bytes.length));
    }
    return files;
  }

  private static void replace(Path file, byte[] bytes) throws IOException {
    if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        && mode(file) == PUBLIC
        && Files.size(file) == bytes.length
        && Arrays.equals(Files.readAllBytes(file), bytes)) {
      return;
    }
    var temporary = file.resolveSibling("." + file.getFileName() + ".new");
    Files.deleteIfExists(temporary);
    try (var out = FileAccess.PUBLIC.open(temporary, StandardOpenOption.CREATE_NEW)) {
      var buffer = ByteBuffer.wrap(bytes);
      while (buffer.hasRemaining()) {
        out.write(buffer);
      }
    }
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException impossible) { // every Java has SHA-256
      throw new IllegalStateException(impossible);
    }
  }

  @Override
  public void retain(String role, Set<Path> paths) throws IOException {
    var own = root().resolve(role);
    if (!root().equals(own.getParent()) || !Files.isDirectory(own, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    for (var each : entries(own)) {
      if (paths.stream().noneMatch(path -> path.startsWith(each))) {
        delete(each);
      }
    }
    if (entries(own).isEmpty()) {
      Files.deleteIfExists(own);
    }
  }

  private static List<Path> entries(Path directory) throws IOException {
    try (var entries = Files.list(directory)) {
      return entries.toList();
    }
  }

  /** Removes a tree. Links are removed, not followed. */
  private static void delete(Path path) throws IOException {
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      for (var each : entries(path)) {
        delete(each);
      }
    }
    Files.deleteIfExists(path);
  }

  @Override
  public void open(Path path, Accounts.Account account) throws IOException {
    if (account.user() == ROOT) {
      return;
    }
    var real = path.toRealPath();
    for (int names = 1; names < real.getNameCount(); names++) {
      var directory = real.getRoot().resolve(real.subpath(0, names));
      if (!mayEnter(directory, account)) {
        if (!directory.equals(storage)) {
          throw new IOException(
              "user %d cannot reach %s: %s has mode %04o; run: chmod o+x %s"
                  .formatted(account.user(), path, directory, mode(directory), directory));
        }
        letOthersEnter(directory);
      }
    }
  }

  private static int mode(Path directory) throws IOException {
    return (int) number(directory, "unix:mode") & MODE;
  }

  private static long number(Path directory, String attribute) throws IOException {
    return ((Number) Files.getAttribute(directory, attribute)).longValue();
  }

  private static boolean mayEnter(Path directory, Accounts.Account account) throws IOException {
    int mode = mode(directory);
    if (number(directory, "unix:uid") == account.user()) {
      return (mode & 0100) != 0;
    }
    long group = number(directory, "unix:gid");
    return account.groups().contains(group) ? (mode & 010) != 0 : (mode & 1) != 0;
  }

  private static void letOthersEnter(Path directory) throws IOException {
    var permissions = Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS);
    permissions.add(PosixFilePermission.GROUP_EXECUTE);
    permissions.add(PosixFilePermission.OTHERS_EXECUTE);
    Files.setPosixFilePermissions(directory, permissions);
  }
}
