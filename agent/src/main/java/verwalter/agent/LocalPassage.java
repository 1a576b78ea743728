package verwalter.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Map;
import verwalter.controllers.template.Accounts;
import verwalter.controllers.template.Passage;

/**
 * Lets users enter {@code --storage-dir}, where releases are. They may not list it, and all that is
 * private in it has modes of its own. Directories above it stay as they are.
 *
 * @param storage the real path of {@code --storage-dir}
 */
record LocalPassage(Path storage) implements Passage {
  private static final long ROOT = 0;
  private static final int MODE = 07777;

  /** A passage into an existing directory. */
  static LocalPassage into(Path storage) {
    try {
      return new LocalPassage(storage.toRealPath());
    } catch (IOException unreadable) {
      return new LocalPassage(storage.toAbsolutePath().normalize());
    }
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
    return ((Integer) Files.getAttribute(directory, "unix:mode")) & MODE;
  }

  private static boolean mayEnter(Path directory, Accounts.Account account) throws IOException {
    Map<String, Object> attributes = Files.readAttributes(directory, "unix:mode,uid,gid");
    int mode = (Integer) attributes.get("mode");
    if (((Number) attributes.get("uid")).longValue() == account.user()) {
      return (mode & 0100) != 0;
    }
    long group = ((Number) attributes.get("gid")).longValue();
    return account.groups().contains(group) ? (mode & 010) != 0 : (mode & 1) != 0;
  }

  private static void letOthersEnter(Path directory) throws IOException {
    var permissions = Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS);
    permissions.add(PosixFilePermission.GROUP_EXECUTE);
    permissions.add(PosixFilePermission.OTHERS_EXECUTE);
    Files.setPosixFilePermissions(directory, permissions);
  }
}
