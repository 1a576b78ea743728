package verwalter.render.recipe;

import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import verwalter.render.Text;

/**
 * The result of rendering a role: texts, and the commands of its recipes with paths that are not
 * expanded yet. Immutable.
 */
public final class Rendered {
  /** The variable that holds the whole schedule. */
  public static final String SCHEDULE = "full_schedule";

  private final String role;
  private final String config;
  private final boolean ofSchedule;
  private final LogDirectories logDirectories;
  private final List<Part> parts;

  /** The result of one recipe. */
  public record Part(Recipe source, SortedMap<String, String> files) {
    public Part {
      files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
    }

    public String recipe() {
      return source.file();
    }

    public List<Command> commands() {
      return source.commands();
    }
  }

  public Rendered(
      String role,
      String config,
      boolean ofSchedule,
      LogDirectories logDirectories,
      List<Part> parts) {
    this.role = role;
    this.config = config;
    this.ofSchedule = ofSchedule;
    this.logDirectories = logDirectories;
    this.parts = List.copyOf(parts);
  }

  public String role() {
    return role;
  }

  /** Whether a template may use {@link #SCHEDULE}; only false is certain. */
  public boolean ofSchedule() {
    return ofSchedule;
  }

  /** The value of a name in a command, given the paths of its recipe's files by their names. */
  public String meaning(String name, Function<String, String> pathOf) {
    return switch (name) {
      case "role" -> role;
      case Expansion.CONFIG_DIRECTORY -> config;
      default -> pathOf.apply(name.substring("files.".length()));
    };
  }

  public LogDirectories logDirectories() {
    return logDirectories;
  }

  public String config() {
    return config;
  }

  /** The names of roles that must be done before. */
  public List<String> needs() {
    return parts.stream()
        .flatMap(part -> part.source().rules().needs().stream())
        .distinct()
        .sorted(Text.BY_CODE_POINT)
        .toList();
  }

  /** Whether changed files are only reported, which one recipe can request. */
  public boolean reportsDrift() {
    return parts.stream().anyMatch(part -> part.source().rules().reportsDrift());
  }

  public List<Part> parts() {
    return parts;
  }

  /** The rendered texts of each recipe by name, by recipe. */
  public SortedMap<String, SortedMap<String, String>> files() {
    var files = new TreeMap<String, SortedMap<String, String>>();
    parts.forEach(part -> files.put(part.recipe(), part.files()));
    return Collections.unmodifiableSortedMap(files);
  }

  /** The commands in order, one line each, for people. */
  public List<String> commands() {
    return parts.stream()
        .flatMap(part -> part.commands().stream())
        .flatMap(Rendered::withNested)
        .map(command -> command.place() + ": " + String.join(" ", expanded(command)))
        .toList();
  }

  /**
   * SHA-256 in lower-case hex over the texts and the expanded commands with their modes: equal if
   * and only if applying would write the same bytes and run the same programs. Does not cover other
   * files that commands read.
   */
  public String digest() {
    var digest = Text.digest();
    Text.add(digest, role);
    for (var part : parts) {
      Text.add(digest, "recipe", part.recipe(), Integer.toString(part.files().size()));
      for (Map.Entry<String, String> file : part.files().entrySet()) {
        Text.add(digest, file.getKey(), file.getValue());
      }
      addCommands(digest, part.commands());
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private void addCommands(MessageDigest digest, List<Command> commands) {
    for (var command : commands) {
      var words = expanded(command);
      Text.add(digest, Integer.toString(words.size()));
      Text.add(digest, words.toArray(String[]::new));
      if (!command.nested().isEmpty()) {
        Text.add(digest, "nested", Integer.toString(command.nested().size()));
        addCommands(digest, command.nested());
      }
    }
  }

  private static Stream<Command> withNested(Command command) {
    return Stream.concat(
        Stream.of(command), command.nested().stream().flatMap(Rendered::withNested));
  }

  /** With the role's name, but with names of files instead of paths. */
  private List<String> expanded(Command command) {
    var words = new ArrayList<String>();
    for (var word : command.words()) {
      words.add(
          Expansion.<RuntimeException>expand(
              word, name -> meaning(name, file -> "{{ files." + file + " }}")));
    }
    return words;
  }
}
