package verwalter.render.release;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import verwalter.model.TemplateOutput;
import verwalter.render.RenderFailed;
import verwalter.render.Text;
import verwalter.render.disk.Disk;
import verwalter.render.disk.FileState;
import verwalter.render.disk.Mode;
import verwalter.render.engine.TemplateDirectory;
import verwalter.render.recipe.LogDirectories;
import verwalter.render.recipe.Recipe;
import verwalter.render.recipe.Rendered;

/**
 * The format of a release on disk: one line of JSON with its description and the hash of the rest;
 * then its recipes, texts and files, compressed. Recipes are stored as source and parsed again.
 */
final class ReleaseFile {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The maximum length of the first line, in bytes. */
  private static final int LONGEST_HEAD = 4 << 10;

  /** The first line. */
  record Head(TemplateOutput.Release about, String sha256, int length) {}

  static byte[] write(Release release) throws IOException {
    var body = compressed(body(release));
    var about = release.about();
    var head =
        JSON.createObjectNode()
            .put("deployment", about.deployment())
            .put("at", about.at().toString())
            .put("digest", about.digest())
            .put("sha256", Text.sha256(body));
    var out = new ByteArrayOutputStream();
    out.write(JSON.writeValueAsBytes(head));
    out.write('\n');
    out.write(body);
    return out.toByteArray();
  }

  private static byte[] body(Release release) throws IOException {
    var rendered = release.rendered();
    var body =
        JSON.createObjectNode().put("role", rendered.role()).put("config", rendered.config());
    var parts = body.putArray("parts");
    for (var part : rendered.parts()) {
      var entry = parts.addObject().put("recipe", part.recipe()).put("text", part.source().text());
      var templates = entry.putObject("templates");
      part.source().templates().forEach((name, it) -> templates.put(name, it.path()));
      var texts = entry.putObject("files");
      part.files().forEach(texts::put);
    }
    var files = body.putArray("files");
    release
        .files()
        .forEach(
            (path, file) ->
                files
                    .addObject()
                    .put("path", path)
                    .put("mode", file.mode().toString())
                    .put("user", file.owner().user())
                    .put("group", file.owner().group())
                    .put("content", file.content()));
    return JSON.writeValueAsBytes(body);
  }

  private static byte[] compressed(byte[] bytes) throws IOException {
    var out = new ByteArrayOutputStream();
    try (var zip = new GZIPOutputStream(out)) {
      zip.write(bytes);
    }
    return out.toByteArray();
  }

  /** Reads only the first line. */
  static Head head(Path file) throws IOException {
    try (var in = new BufferedInputStream(Files.newInputStream(file), LONGEST_HEAD)) {
      return head(in);
    }
  }

  /**
   * Reads the first line and checks the hash of the rest.
   *
   * @throws IOException if the file is corrupt
   */
  static Head whole(Path file) throws IOException {
    try (var in = new BufferedInputStream(Files.newInputStream(file), LONGEST_HEAD)) {
      var head = head(in);
      var digest = Text.digest();
      var piece = new byte[LONGEST_HEAD];
      for (int length; (length = in.read(piece)) >= 0; ) {
        digest.update(piece, 0, length);
      }
      if (!HexFormat.of().formatHex(digest.digest()).equals(head.sha256())) {
        throw damaged(file);
      }
      return head;
    }
  }

  private static IOException damaged(Path file) {
    return new IOException("%s is damaged: its hash is wrong".formatted(file));
  }

  private static Head head(InputStream in) throws IOException {
    var line = new ByteArrayOutputStream();
    for (int each = in.read(); each >= 0 && each != '\n'; each = in.read()) {
      if (line.size() == LONGEST_HEAD) {
        throw new IOException("the first line has no end");
      }
      line.write(each);
    }
    var node = JSON.readTree(line.toByteArray());
    try {
      return new Head(
          new TemplateOutput.Release(
              text(node, "deployment"), Instant.parse(text(node, "at")), text(node, "digest")),
          text(node, "sha256"),
          line.size() + 1);
    } catch (DateTimeException e) {
      throw new IOException(e);
    }
  }

  /**
   * Reads the whole release.
   *
   * @throws IOException if it is corrupt, or holds a recipe that is no longer valid
   */
  static Release read(Path file, long limit) throws IOException {
    var head = head(file);
    var bytes = Files.readAllBytes(file);
    var body = Arrays.copyOfRange(bytes, Math.min(head.length(), bytes.length), bytes.length);
    if (!Text.sha256(body).equals(head.sha256())) {
      throw damaged(file);
    }
    byte[] text;
    try (var zip = new GZIPInputStream(new ByteArrayInputStream(body))) {
      text = zip.readNBytes((int) Math.min(Integer.MAX_VALUE - 8L, limit));
    }
    var node = JSON.readTree(text);
    try {
      return new Release(head.about(), rendered(node), files(node));
    } catch (RenderFailed e) {
      throw new IOException(
          "%s holds a recipe that is none: %s".formatted(file, e.getMessage()), e);
    }
  }

  private static Rendered rendered(JsonNode node) throws IOException, RenderFailed {
    var parts = new ArrayList<Rendered.Part>();
    for (var entry : node.path("parts")) {
      var empty = new TreeMap<String, String>();
      entry.path("templates").forEach(path -> empty.put(path.asText(), ""));
      var recipe =
          Recipe.parse(text(entry, "recipe"), text(entry, "text"), new TemplateDirectory(empty));
      var texts = new TreeMap<String, String>(Text.BY_CODE_POINT);
      entry
          .path("files")
          .properties()
          .forEach(it -> texts.put(it.getKey(), it.getValue().asText()));
      parts.add(new Rendered.Part(recipe, texts));
    }
    return new Rendered(
        text(node, "role"), text(node, "config"), false, LogDirectories.NONE, parts);
  }

  private static SortedMap<String, FileState.Regular> files(JsonNode node) throws IOException {
    var files = new TreeMap<String, FileState.Regular>();
    for (var entry : node.path("files")) {
      files.put(
          text(entry, "path"),
          new FileState.Regular(
              entry.path("content").binaryValue(),
              Mode.octal(text(entry, "mode")),
              new Disk.Owner(entry.path("user").asInt(), entry.path("group").asInt())));
    }
    return files;
  }

  private static String text(JsonNode node, String field) throws IOException {
    var value = node.path(field);
    if (!value.isTextual()) {
      throw new IOException("`" + field + "` is missing");
    }
    return value.asText();
  }

  private ReleaseFile() {}
}
