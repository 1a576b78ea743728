package verwalter.cluster.zookeeper;

import java.io.IOException;
import java.io.Reader;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.zookeeper.server.quorum.QuorumPeer.QuorumServer;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig.ConfigException;

/**
 * The files of an elector's server.
 *
 * <ul>
 *   <li>{@code server.cfg}, ZooKeeper's configuration, which is written at each start; it names
 *   <li>{@code server.cfg.dynamic.VERSION}, the members, which ZooKeeper writes;
 *   <li>{@code self}, this elector's line of that file;
 *   <li>{@code joining}, exists until the members include this elector;
 *   <li>{@code replaced}, exists if the files take the place of those of a lost ensemble;
 *   <li>{@code highest}, see {@link HighestZxid};
 *   <li>{@code data/}, ZooKeeper's log and snapshots;
 *   <li>{@code damaged/}, those that were set aside, the newest only.
 * </ul>
 */
final class ElectorFiles {
  private static final String EPOCH = "version-2/acceptedEpoch";
  private static final String POINTER = "dynamicConfigFile";

  private final Path directory;

  ElectorFiles(Path directory) {
    this.directory = directory;
  }

  @Override
  public String toString() {
    return directory.toString();
  }

  Path config() {
    return directory.resolve("server.cfg");
  }

  Path data() {
    return directory.resolve("data");
  }

  Path highest() {
    return directory.resolve("highest");
  }

  private Path joining() {
    return directory.resolve("joining");
  }

  private Path damaged() {
    return directory.resolve("damaged");
  }

  private Path replaced() {
    return directory.resolve("replaced");
  }

  private Path own() {
    return directory.resolve("self");
  }

  boolean exist() {
    return Files.exists(config());
  }

  boolean isJoining() {
    return Files.exists(joining());
  }

  void joined() throws IOException {
    Files.deleteIfExists(joining());
  }

  /** Creates the files of an elector. If {@code first}, it begins a new log. */
  void create(Elector self, List<Elector> others, boolean first) throws IOException {
    if (exist()) {
      throw new IOException(directory + " has an elector already");
    }
    directories();
    if (first) {
      write(data().resolve("initialize"), "");
    } else {
      write(joining(), "");
    }
    write(own(), self.line(true) + "\n");
    pointTo(members(self, others), new Properties());
  }

  private void directories() throws IOException {
    for (var each : List.of(directory, data())) {
      Files.createDirectories(
          each, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
  }

  /** Writes the members that an elector begins with. */
  private Path members(Elector self, List<Elector> others) throws IOException {
    var lines = new TreeMap<Long, String>();
    others.forEach(each -> lines.put(each.id(), each.line(true)));
    lines.put(self.id(), self.line(true));
    var file = directory.resolve("server.cfg.dynamic.0");
    write(file, String.join("\n", lines.values()) + "\n");
    return file;
  }

  private void pointTo(Path members, Properties settings) throws IOException {
    var text = new StringBuilder();
    settings.stringPropertyNames().stream()
        .sorted()
        .forEach(
            name -> text.append(name).append('=').append(settings.getProperty(name)).append('\n'));
    text.append(POINTER).append('=').append(members).append('\n');
    write(config(), text.toString());
  }

  private Properties read(Path file) throws IOException {
    var properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      properties.load(reader);
    }
    return properties;
  }

  private Path membersFile() throws IOException {
    var pointer = read(config()).getProperty(POINTER);
    if (pointer == null) {
      throw new IOException(config() + " does not name the file of members");
    }
    // The directory may have been moved.
    return directory.resolve(Path.of(pointer).getFileName());
  }

  /** This elector. */
  Elector self() throws IOException {
    var self = electors(own());
    if (self.size() != 1) {
      throw new IOException(own() + " is damaged");
    }
    return self.get(0);
  }

  /** The members when this elector last knew them. */
  List<Elector> members() throws IOException {
    return electors(membersFile());
  }

  private List<Elector> electors(Path file) throws IOException {
    var electors = new ArrayList<Elector>();
    var lines = read(file);
    for (var name : lines.stringPropertyNames()) {
      if (name.startsWith("server.")) {
        electors.add(elector(file, name, lines.getProperty(name)));
      }
    }
    electors.sort(Comparator.comparingLong(Elector::id));
    return electors;
  }

  private static Elector elector(Path file, String name, String value) throws IOException {
    try {
      return Elector.of(
          new QuorumServer(Long.parseLong(name.substring("server.".length())), value));
    } catch (ConfigException | IllegalArgumentException damaged) {
      throw new IOException(file + " is damaged", damaged);
    }
  }

  /** Lets an elector that was removed from the members receive the log again. */
  void rejoin() throws IOException {
    write(joining(), "");
  }

  /** Writes the configuration for a start, and keeps the members. */
  void prepare(ServerTimes times) throws IOException {
    var self = self();
    directories();
    var members = membersFile();
    if (isJoining()) {
      // The members that it learnt of do not include it yet.
      members = members(self, members());
    }
    write(data().resolve("myid"), Long.toString(self.id()));
    var settings = new Properties();
    settings.setProperty("dataDir", data().toString());
    settings.setProperty("tickTime", Long.toString(times.tick().toMillis()));
    settings.setProperty("initLimit", Long.toString(times.initLimit()));
    settings.setProperty("syncLimit", Long.toString(times.syncLimit()));
    settings.setProperty("minSessionTimeout", Long.toString(times.shortestSession().toMillis()));
    settings.setProperty("maxSessionTimeout", Long.toString(times.longestSession().toMillis()));
    settings.setProperty("maxClientCnxns", "0");
    settings.setProperty("standaloneEnabled", "false");
    settings.setProperty("reconfigEnabled", "true");
    settings.setProperty("localSessionsEnabled", "false");
    settings.setProperty("sslQuorum", "true");
    settings.setProperty("portUnification", "false");
    settings.setProperty("quorumListenOnAllIPs", "false");
    settings.setProperty("secureClientPortAddress", self.clientHost());
    settings.setProperty("secureClientPort", Integer.toString(self.clientPort()));
    pointTo(members, settings);
  }

  /**
   * Moves the log and the snapshots aside, so that the elector does not vote until it has received
   * the present state from the others.
   */
  void setAside() throws IOException {
    delete(damaged());
    Files.move(data(), damaged(), StandardCopyOption.ATOMIC_MOVE);
    directories();
    // It must not follow a leader of an epoch before the one that it has accepted.
    var epoch = damaged().resolve(EPOCH);
    if (Files.exists(epoch)) {
      Files.createDirectory(data().resolve(EPOCH).getParent());
      write(data().resolve(EPOCH), Files.readString(epoch));
    }
  }

  /**
   * Moves the files of a lost ensemble to a directory beside, with the suffix {@code .lost}, and
   * creates those of the only elector of a new one, with the same number and address. Does nothing
   * if that was done since {@link #prepareReplacement}.
   */
  void replace() throws IOException {
    var lost = directory.resolveSibling(directory.getFileName() + ".lost");
    if (exist() && !Files.exists(replaced())) {
      delete(lost);
      Files.move(directory, lost, StandardCopyOption.ATOMIC_MOVE);
    }
    if (!exist() && Files.exists(lost)) {
      directories();
      write(replaced(), "");
      create(new ElectorFiles(lost).self(), List.of(), true);
    }
  }

  void prepareReplacement() throws IOException {
    Files.deleteIfExists(replaced());
  }

  private static void delete(Path tree) throws IOException {
    if (Files.exists(tree)) {
      try (var files = Files.walk(tree)) {
        for (var each : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
  }

  private static void write(Path file, String text) throws IOException {
    var next = file.resolveSibling(file.getFileName() + ".next");
    Files.deleteIfExists(next);
    Files.createFile(
        next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try (var channel = FileChannel.open(next, StandardOpenOption.WRITE)) {
      channel.write(StandardCharsets.UTF_8.encode(text));
      channel.force(true);
    }
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    try (var parent = FileChannel.open(file.getParent())) {
      parent.force(true);
    }
  }
}
