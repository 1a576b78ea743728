package verwalter.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import verwalter.controllers.template.Accounts;

/**
 * The users in {@code /etc/passwd} and their groups in {@code /etc/group}, read at each call. Users
 * of a directory service are not found by name; their numbers can be used.
 *
 * @param etc the directory of the two files
 * @param own the user id of the agent
 */
record LocalAccounts(Path etc, long own) implements Accounts {
  private static final String NOBODY = "nobody";
  private static final long ROOT = 0;
  private static final int MOST_BYTES = 16 << 20;
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

  /** One line of {@code /etc/passwd}. */
  private record Line(String name, long user, long group) {}

  /** The accounts of this machine, for an agent with the user of this process. */
  static LocalAccounts ofThisMachine() {
    try {
      var uid = (Number) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
      return new LocalAccounts(Path.of("/etc"), uid.longValue());
    } catch (IOException noProc) { // Linux has it
      throw new UncheckedIOException(noProc);
    }
  }

  @Override
  public Optional<Account> standard() throws Unknown {
    return own == ROOT ? Optional.of(find(NOBODY)) : Optional.empty();
  }

  @Override
  public Account find(String user) throws Unknown {
    var line = line(user);
    if (own != ROOT && line.user() != own) {
      throw new Unknown(
          "the agent runs as user %d and cannot start programs as %s; run the agent as root, or remove `user`"
              .formatted(own, user));
    }
    return new Account(line.user(), groups(line));
  }

  @Override
  public Account with(Optional<Account> account, List<String> groups) throws Unknown {
    if (own != ROOT) {
      throw new Unknown(
          "the agent runs as user %d and cannot change groups; run the agent as root, or remove `groups`"
              .formatted(own));
    }
    var its = account.isPresent() ? account.get() : find(String.valueOf(own));
    var ids = new ArrayList<>(List.of(its.groups().get(0)));
    for (var group : groups) {
      var id = group(group);
      if (!ids.contains(id)) {
        ids.add(id);
      }
    }
    return new Account(its.user(), ids);
  }

  private long group(String group) throws Unknown {
    if (NUMBER.matcher(group).matches()) {
      return Long.parseLong(group);
    }
    for (var fields : read("group")) {
      if (fields.size() >= 3
          && fields.get(0).equals(group)
          && NUMBER.matcher(fields.get(2)).matches()) {
        return Long.parseLong(fields.get(2));
      }
    }
    throw new Unknown(
        "there is no group %1$s on this machine; create it: addgroup --system %1$s"
            .formatted(group));
  }

  private Line line(String user) throws Unknown {
    boolean number = NUMBER.matcher(user).matches();
    for (var fields : read("passwd")) {
      if (fields.size() >= 4 && fields.get(number ? 2 : 0).equals(user)) {
        try {
          return new Line(
              fields.get(0), Long.parseLong(fields.get(2)), Long.parseLong(fields.get(3)));
        } catch (NumberFormatException odd) {
          throw new Unknown("the line of user %s in %s is broken".formatted(user, etc));
        }
      }
    }
    if (number) {
      return new Line("", Long.parseLong(user), Long.parseLong(user));
    }
    throw new Unknown(
        "there is no user %1$s on this machine; create it: adduser --system --group %1$s"
            .formatted(user));
  }

  private List<Long> groups(Line line) throws Unknown {
    var groups = new ArrayList<>(List.of(line.group()));
    for (var fields : read("group")) {
      boolean member =
          fields.size() >= 4 && Arrays.asList(fields.get(3).split(",")).contains(line.name());
      if (member && !line.name().isEmpty() && NUMBER.matcher(fields.get(2)).matches()) {
        var id = Long.parseLong(fields.get(2));
        if (!groups.contains(id)) {
          groups.add(id);
        }
      }
    }
    return groups;
  }

  /** The fields of each line of a file. */
  private List<List<String>> read(String name) throws Unknown {
    try (var in = Files.newInputStream(etc.resolve(name))) {
      var text = new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
      return text.lines().map(line -> List.of(line.split(":", -1))).toList();
    } catch (IOException unreadable) {
      throw new Unknown("%s cannot be read: %s".formatted(etc.resolve(name), unreadable));
    }
  }
}
