package verwalter.render.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import verwalter.model.TemplateOutput;
import verwalter.render.disk.Disk;
import verwalter.render.disk.FileState;
import verwalter.render.disk.Mode;

/**
 * The journal of the file changes of one role. It makes the changes of a transaction atomic and
 * durable with two syncs, however many files change.
 *
 * <p>Before the first change, {@link #announce} stores the former state of every path that may
 * change. {@link #commit} stores the new state of every path that changed. Each is one record,
 * synced once. The files themselves are not synced then. {@link #settle} syncs them later and
 * empties the journal; until then, {@link #recover} can restore them after a power cut. The state
 * of a path is that of the last record that names it.
 *
 * <p>A record is a line: a checksum and JSON. A line that a crash cut short is ignored.
 */
final class RoleJournal {
  /** Larger files in bytes are not stored in the journal itself. */
  private static final int SMALL = 64 << 10;

  /** A journal larger than this in bytes is settled before the next transaction. */
  private static final int LARGEST = 1 << 20;

  private static final int CHECKSUM = 9;

  private final Path directory;
  private final Disk disk;
  private final Switch files;
  private final WrittenFiles written;
  private @Nullable Log log;

  RoleJournal(Path directory, Disk disk, Switch files, WrittenFiles written) {
    this.directory = directory;
    this.disk = disk;
    this.files = files;
    this.written = written;
  }

  /**
   * A record.
   *
   * @param committed whether it holds new states and ends a transaction
   * @param boot when it was written; see {@link Disk#boot}
   * @param files the states; a path without one is durable in place
   * @param written the files of the role after the transaction
   */
  private record Line(
      boolean committed, String boot, List<JsonNode> files, List<TemplateOutput.File> written) {}

  /** The valid records and their length in bytes. */
  private static final class Log {
    private final List<Line> lines = new ArrayList<>();
    private long length;

    boolean isOpen() {
      return !lines.isEmpty() && !last().committed();
    }

    Line last() {
      return lines.get(lines.size() - 1);
    }

    /** The records of the transaction that was not committed. */
    List<Line> unfinished() {
      int start = lines.size();
      while (start > 0 && !lines.get(start - 1).committed()) {
        start--;
      }
      return lines.subList(start, lines.size());
    }

    Optional<List<TemplateOutput.File>> written() {
      return lines.stream().filter(Line::committed).reduce((a, b) -> b).map(Line::written);
    }
  }

  private Path journal() {
    return directory.resolve("journal");
  }

  private Log log() throws IOException {
    if (log == null) {
      log = Files.exists(journal()) ? read(Files.readAllBytes(journal())) : new Log();
    }
    return log;
  }

  private static Log read(byte[] bytes) throws IOException {
    var log = new Log();
    if (bytes.length > 0 && bytes[0] == '[') { // written by version 0.1.0
      var files = new ArrayList<JsonNode>();
      WrittenFiles.JSON.readTree(bytes).forEach(files::add);
      log.lines.add(new Line(false, "", files, List.of()));
      return log;
    }
    int start = 0;
    for (int end = 0; end < bytes.length; end++) {
      if (bytes[end] == '\n') {
        var line = line(Arrays.copyOfRange(bytes, start, end));
        if (line.isEmpty()) {
          return log;
        }
        log.lines.add(line.get());
        start = end + 1;
        log.length = start;
      }
    }
    return log;
  }

  private static Optional<Line> line(byte[] text) {
    if (text.length < CHECKSUM) {
      return Optional.empty();
    }
    var body = Arrays.copyOfRange(text, CHECKSUM, text.length);
    var start = new String(text, 0, CHECKSUM, StandardCharsets.ISO_8859_1);
    if (!start.equals(checksum(body))) {
      return Optional.empty();
    }
    try {
      var node = WrittenFiles.JSON.readTree(body);
      var files = new ArrayList<JsonNode>();
      node.path("files").forEach(files::add);
      return Optional.of(
          new Line(
              node.has("written"),
              node.path("boot").asText(),
              files,
              node.has("written") ? WrittenFiles.of(node.path("written")) : List.of()));
    } catch (IOException damaged) {
      return Optional.empty();
    }
  }

  private static String checksum(byte[] body) {
    var crc = new CRC32();
    crc.update(body);
    return "%08x ".formatted(crc.getValue());
  }

  /** Whether a transaction has begun and not ended. */
  boolean isOpen() throws IOException {
    return log().isOpen();
  }

  /** The files of the role after the last transaction. */
  List<TemplateOutput.File> written() throws IOException {
    var recent = log().written();
    return recent.isPresent() ? recent.get() : written.read();
  }

  /**
   * Stores the current state of these paths, before any of them is changed. Begins a transaction if
   * none is open.
   *
   * @throws IOException if one of them is neither absent nor a file or a link
   */
  void announce(Collection<Path> paths) throws IOException {
    disk.makeDirectory(directory);
    if (!isOpen() && log().length > LARGEST) {
      settle();
    }
    var entries = WrittenFiles.JSON.createArrayNode();
    boolean copied = false;
    for (var path : paths) {
      var state = FileState.of(path);
      if (state instanceof FileState.Other other) {
        throw new IOException(path + " is " + other.what());
      }
      var entry = entry(path, state);
      if (entry.isEmpty() && state instanceof FileState.Regular large) {
        var backup = directory.resolve("old.%d.%d".formatted(log().length, entries.size()));
        disk.delete(backup);
        disk.create(backup, large.content(), Mode.PRIVATE);
        copied = true;
        entry = Optional.of(described(path, large).put("backup", backup.getFileName().toString()));
      }
      entries.add(entry.orElseThrow());
    }
    if (copied) {
      disk.sync(directory);
    }
    append(new Line(false, disk.boot(), nodes(entries), List.of()), entries);
  }

  /**
   * Ends the transaction: the current state of the changed paths is valid and survives a power cut.
   *
   * @param changed the paths that were changed
   * @param now all files of the role
   */
  void commit(Collection<Path> changed, List<TemplateOutput.File> now) throws IOException {
    var entries = WrittenFiles.JSON.createArrayNode();
    var inPlace = new ArrayList<Path>();
    for (var path : changed) {
      var entry = entry(path, FileState.of(path));
      if (entry.isEmpty()) {
        inPlace.add(path);
      }
      entries.add(entry.orElseGet(() -> named(path).put("durable", true)));
    }
    files.sync(inPlace);
    append(new Line(true, disk.boot(), nodes(entries), now), entries);
  }

  private static List<JsonNode> nodes(ArrayNode entries) {
    var nodes = new ArrayList<JsonNode>();
    entries.forEach(nodes::add);
    return nodes;
  }

  private static ObjectNode named(Path path) {
    return WrittenFiles.JSON.createObjectNode().put("path", path.toString());
  }

  private static ObjectNode described(Path path, FileState.Regular file) {
    return named(path)
        .put("mode", file.mode().toString())
        .put("user", file.owner().user())
        .put("group", file.owner().group());
  }

  /** Empty if the state does not fit into a record. */
  private static Optional<ObjectNode> entry(Path path, FileState state) {
    if (state instanceof FileState.Regular file) {
      return file.content().length <= SMALL
          ? Optional.of(described(path, file).put("content", file.content()))
          : Optional.empty();
    }
    if (state instanceof FileState.Link link) {
      return Optional.of(named(path).put("link", link.target().toString()));
    }
    return state instanceof FileState.Absent ? Optional.of(named(path)) : Optional.empty();
  }

  private void append(Line line, ArrayNode entries) throws IOException {
    var node = WrittenFiles.JSON.createObjectNode().put("boot", line.boot());
    node.set("files", entries);
    if (line.committed()) {
      node.set("written", WrittenFiles.JSON.valueToTree(line.written()));
    }
    var body = WrittenFiles.JSON.writeValueAsBytes(node);
    var text = new byte[CHECKSUM + body.length + 1];
    System.arraycopy(checksum(body).getBytes(StandardCharsets.ISO_8859_1), 0, text, 0, CHECKSUM);
    System.arraycopy(body, 0, text, CHECKSUM, body.length);
    text[text.length - 1] = '\n';
    var to = log();
    boolean fresh = !Files.exists(journal());
    disk.overwrite(journal(), to.length, text);
    if (fresh) {
      disk.sync(directory);
    }
    to.lines.add(line);
    to.length += text.length;
  }

  /**
   * Restores the former state of the files of an open transaction, and after a power cut the new
   * state of those of ended ones. Does nothing otherwise, since files that were changed in another
   * way must stay. Idempotent.
   *
   * @return the restored paths
   */
  List<String> recover() throws IOException {
    var log = log();
    boolean lost = !log.lines.isEmpty() && !log.last().boot().equals(disk.boot());
    if (!log.isOpen() && !lost) {
      if (log.lines.isEmpty()) {
        clean();
      }
      return List.of();
    }
    if (log.isOpen() && log.length > 0) {
      disk.overwrite(journal(), log.length, new byte[0]); // a commit that failed must not appear
    }
    var restored = new ArrayList<String>();
    for (var each : last(lost ? log.lines : log.unfinished()).entrySet()) {
      var state = state(each.getValue());
      if (state.isPresent() && files.restore(each.getKey(), state.get())) {
        restored.add(each.getKey().toString());
      }
    }
    end(log, log.lines);
    return restored;
  }

  /** The last entry of each path. */
  private static Map<Path, JsonNode> last(List<Line> lines) {
    var entries = new LinkedHashMap<Path, JsonNode>();
    for (var line : lines) {
      line.files().forEach(entry -> entries.put(Path.of(entry.path("path").asText()), entry));
    }
    return entries;
  }

  private Optional<FileState> state(JsonNode entry) throws IOException {
    if (entry.has("durable")) {
      return Optional.empty();
    }
    if (entry.has("link")) {
      return Optional.of(new FileState.Link(Path.of(entry.path("link").asText())));
    }
    if (!entry.has("mode")) {
      return Optional.of(new FileState.Absent());
    }
    return Optional.of(
        new FileState.Regular(
            entry.has("content")
                ? entry.path("content").binaryValue()
                : Files.readAllBytes(directory.resolve(entry.path("backup").asText())),
            Mode.octal(entry.path("mode").asText()),
            new Disk.Owner(entry.path("user").asInt(), entry.path("group").asInt())));
  }

  /** Syncs the files of ended transactions, which the journal then no longer needs. */
  void settle() throws IOException {
    var log = log();
    if (log.isOpen()) {
      throw new IllegalStateException("a transaction is open");
    }
    if (!log.lines.isEmpty()) {
      end(log, log.lines.stream().filter(Line::committed).toList());
    }
  }

  /** Syncs what these records name, and empties the journal. */
  private void end(Log ended, List<Line> named) throws IOException {
    files.sync(last(named).keySet());
    var recent = ended.written();
    if (recent.isPresent()) {
      written.store(recent.get());
    }
    disk.overwrite(journal(), 0, new byte[0]);
    log = new Log();
    try {
      clean();
    } catch (IOException e) {
      // The next recovery reports leftovers that cannot be removed.
    }
  }

  /** Stores the files of a role that changed none. */
  void store(List<TemplateOutput.File> now) throws IOException {
    if (!written().equals(now)) {
      settle();
      written.store(now);
    }
  }

  /** Settles and removes the journal of a role that has no files. */
  void discard() throws IOException {
    settle();
    disk.delete(journal());
  }

  /** Removes copies that no transaction needs. */
  private void clean() throws IOException {
    if (Files.isDirectory(directory)) {
      try (var leftovers = Files.newDirectoryStream(directory)) {
        for (var leftover : leftovers) {
          if (!leftover.equals(journal())) {
            disk.delete(leftover);
          }
        }
      }
    }
  }
}
