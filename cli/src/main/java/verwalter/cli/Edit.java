package verwalter.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import verwalter.cli.json.MergePatch;
import verwalter.cli.yaml.Manifest;
import verwalter.cli.yaml.ManifestException;
import verwalter.cli.yaml.Yaml;
import verwalter.client.ApiClient;
import verwalter.client.ApiException;
import verwalter.client.QueryParameters;
import verwalter.client.ResourceType;
import verwalter.client.json.PlainJson;

/**
 * {@code vw edit}: opens an object in the operator's editor until the server accepts it or the
 * operator gives up. Sends only changed fields, and only if no other writer changed the same
 * fields.
 */
final class Edit implements Verb {
  private static final String TOP =
      """
      # Edit the object below. Lines that begin with '#' are left out;
      # an empty file, or one without a change, ends the edit.
      #
      """;

  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw edit TYPE NAME | TYPE/NAME [flags]",
        "In the editor VISUAL or EDITOR names, else vi",
        "vw edit roleconfig web",
        "In another",
        "EDITOR=nano vw edit rcfg/web");
    Flags.arguments(spec);
    spec.addOption(Flags.dryRun());
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    List<String> words = args.matchedPositionalValue(0, List.of());
    var query = Apply.writing(args).with("fieldValidation", "Strict");
    var exit = Exit.OK;
    for (var target : Target.of(words, session, "edit")) {
      if (target.names().isEmpty()) {
        throw Failure.usage(
            "which " + target.type().prefix() + "? give its name",
            "list them: vw get " + target.type().plural());
      }
      for (var name : target.names()) {
        var end = new Editing(session, target.type(), name, query).run();
        exit = end == Exit.OK ? exit : end;
      }
    }
    return exit;
  }

  /** The edit of one object. */
  private static final class Editing {
    private final Session session;
    private final ResourceType type;
    private final String name;
    private final QueryParameters query;
    private Map<String, Object> base = Map.of();
    private String shown = "";
    private String trouble = "";
    private boolean overtaken;
    private boolean kept;

    Editing(Session session, ResourceType type, String name, QueryParameters query) {
      this.session = session;
      this.type = type;
      this.name = name;
      this.query = query;
    }

    Exit run() throws IOException {
      base = read();
      shown = Yaml.text(base);
      var file = Files.createTempFile("vw-edit-", ".yaml");
      try {
        while (true) {
          var before = TOP + trouble + shown;
          var after = edit(file, before);
          var text = withoutComments(after);
          if (text.isBlank()) {
            return given("Edit cancelled: the file is empty.");
          }
          if (after.equals(before) || (text.equals(shown) && !overtaken)) {
            return trouble.isEmpty() ? given("Edit cancelled, no changes made.") : refused(file);
          }
          shown = text;
          if (save(text)) {
            return Exit.OK;
          }
        }
      } finally {
        if (!kept) {
          Files.deleteIfExists(file);
        }
      }
    }

    private Exit given(String why) {
      session.say(why);
      return Exit.OK;
    }

    /** The operator saw the error and changed nothing: the text stays in the file. */
    private Exit refused(Path file) {
      kept = true;
      session.environment().err().println("error: Edit cancelled, no valid changes were saved.");
      session
          .environment()
          .err()
          .println("Your text is in " + file + "; later: vw apply -f " + file);
      return Exit.ERROR;
    }

    /** The result of opening a text in the editor. */
    private String edit(Path file, String text) throws IOException {
      Files.writeString(file, text);
      var editor = editor();
      int code =
          session
              .environment()
              .programs()
              .run(List.of("/bin/sh", "-c", editor + " \"$1\"", "vw-edit"), file);
      if (code != 0) {
        throw Failure.error(
            "the editor \"" + editor + "\" ended with code " + code + "; nothing was changed",
            "choose another: EDITOR=nano vw edit " + type.prefix() + "/" + name);
      }
      return Files.readString(file, StandardCharsets.UTF_8);
    }

    private String editor() {
      for (var variable : List.of("VERWALTER_EDITOR", "VISUAL", "EDITOR")) {
        if (!session.environment().variable(variable).isBlank()) {
          return session.environment().variable(variable);
        }
      }
      return "vi";
    }

    /** Whether the server accepted the text; if not, {@code trouble} says why. */
    private boolean save(String edited) throws IOException {
      overtaken = false;
      Map<String, Object> wanted;
      try {
        wanted = object(edited);
      } catch (ManifestException e) {
        trouble = comment("This cannot be read:", List.of(e.getMessage()));
        return false;
      }
      while (true) {
        var patch = MergePatch.between(base, wanted);
        if (patch.isEmpty()) {
          session.say("Edit cancelled, no changes made.");
          return true;
        }
        try {
          var version = PlainJson.text(base, "metadata", "resourceVersion");
          session.api().patch(type, name, at(patch, version), query);
          session.say(type.prefix() + "/" + name + " edited");
          return true;
        } catch (ApiException refused) {
          if (!refused.isConflict()) {
            trouble = comment(refused);
            return false;
          }
          overtaken = overtaken(patch);
          if (overtaken) {
            return false;
          }
          wanted = MergePatch.applied(patch, base);
        }
      }
    }

    private Map<String, Object> object(String edited) {
      var manifests = Manifest.read("line", edited);
      if (manifests.size() != 1) {
        throw new ManifestException("the text", "expected exactly one object");
      }
      var object = manifests.get(0).object();
      for (var path : List.of(List.of("kind"), List.of("metadata", "name"))) {
        var names = path.toArray(String[]::new);
        if (!PlainJson.text(object, names).equals(PlainJson.text(base, names))) {
          throw new ManifestException(
              manifests.get(0).where(String.join(".", path)),
              String.join(".", path) + " cannot be changed");
        }
      }
      return object;
    }

    /** Reads the newest version of the object; whether its changes conflict with the operator's. */
    private boolean overtaken(Map<String, Object> patch) throws IOException {
      var last = base;
      base = read();
      var theirs = MergePatch.between(content(last), content(base));
      if (!MergePatch.collide(patch, theirs)) {
        return false;
      }
      shown = Yaml.text(MergePatch.applied(patch, base));
      trouble =
          comment(
              "Another writer changed the same fields. Its changes:",
              Yaml.text(theirs).lines().toList(),
              "To overwrite them, delete this comment and save; to give up, quit without a change.");
      return true;
    }

    private Map<String, Object> read() throws IOException {
      return Printing.typed(
          session.api().get(type, name, ApiClient.Shape.OBJECTS, QueryParameters.NONE), type);
    }
  }

  private static Map<String, Object> at(Map<String, Object> patch, String version) {
    var dated = new LinkedHashMap<>(patch);
    var metadata = new LinkedHashMap<>(PlainJson.map(patch, "metadata"));
    metadata.put("resourceVersion", version);
    dated.put("metadata", metadata);
    return dated;
  }

  /** The object without the fields that change with every write. */
  private static Map<String, Object> content(Map<String, Object> object) {
    var content = new LinkedHashMap<>(object);
    content.remove("status");
    var metadata = new LinkedHashMap<>(PlainJson.map(object, "metadata"));
    metadata.keySet().removeAll(List.of("resourceVersion", "generation", "managedFields"));
    content.put("metadata", metadata);
    return content;
  }

  private static String withoutComments(String text) {
    return text.lines()
        .dropWhile(line -> line.startsWith("#"))
        .map(line -> line + "\n")
        .collect(Collectors.joining());
  }

  private static String comment(ApiException refused) {
    var lines =
        refused.causes().stream()
            .map(cause -> (cause.field().isEmpty() ? "" : cause.field() + ": ") + cause.message())
            .toList();
    return comment(
        "The server refused this:", lines.isEmpty() ? List.of(refused.getMessage()) : lines);
  }

  private static String comment(String first, List<String> lines, String... last) {
    var comment = new StringBuilder("# ").append(first).append('\n');
    lines.stream()
        .flatMap(String::lines)
        .forEach(line -> comment.append("#   ").append(line).append('\n'));
    for (var line : last) {
      comment.append("# ").append(line).append('\n');
    }
    return comment.append("#\n").toString();
  }
}
