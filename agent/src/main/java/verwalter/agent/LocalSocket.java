package verwalter.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * The file of the agent's unix socket. Only its owner may connect, or also the members of a group.
 * The kernel lets a process connect if it may write to the file.
 *
 * @param file in the storage directory
 * @param group the group that may connect; empty for none
 */
record LocalSocket(Path file, Optional<GroupPrincipal> group) {
  /** The name of the file in the storage directory. */
  static final String NAME = "verwalter.sock";

  /** The longest path of a socket on Linux, in bytes. */
  private static final int LONGEST = 107;

  /** The socket in a storage directory. */
  static LocalSocket in(Path storage, Optional<String> group) throws SetupFailed {
    try {
      var names = storage.getFileSystem().getUserPrincipalLookupService();
      return new LocalSocket(
          storage.resolve(NAME),
          group.isPresent()
              ? Optional.of(names.lookupPrincipalByGroupName(group.get()))
              : Optional.empty());
    } catch (UserPrincipalNotFoundException unknown) {
      throw new SetupFailed(
          ExitCode.USAGE, "--socket-group: there is no group \"%s\"".formatted(group.orElse("")));
    } catch (IOException failure) {
      throw new SetupFailed(ExitCode.SETUP, "--socket-group: " + failure);
    }
  }

  /** Whether the path fits into an address. */
  boolean fits() {
    return file.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8).length <= LONGEST;
  }

  /**
   * Removes the file of an agent that has ended, binds, and sets the access. The users of processes
   * may still enter the directory if they could before: their files are below it.
   */
  void bind(Callable<?> listen) throws Exception {
    Files.deleteIfExists(file);
    listen.call();
    if (group.isEmpty()) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      return;
    }
    var directory = file.toAbsolutePath().getParent();
    if (directory != null) {
      view(directory).setGroup(group.get());
      boolean open =
          Files.getPosixFilePermissions(directory).contains(PosixFilePermission.OTHERS_EXECUTE);
      Files.setPosixFilePermissions(
          directory, PosixFilePermissions.fromString(open ? "rwx--x--x" : "rwx--x---"));
    }
    view(file).setGroup(group.get());
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw----"));
  }

  private static PosixFileAttributeView view(Path path) {
    return Files.getFileAttributeView(
        path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
  }
}
