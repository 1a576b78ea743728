package verwalter.artifacts;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import verwalter.artifacts.ArtifactException.Reason;

/** The place from which a role version comes, as the metadata of the version names it. */
public sealed interface ArtifactSource {
  /** Longer texts are refused. */
  int MOST_CHARACTERS = 4096;

  /**
   * An absolute path: a directory, which is used in place and never deleted, or an archive.
   *
   * @param path an absolute path without {@code .} and {@code ..}
   */
  record LocalPath(Path path) implements ArtifactSource {
    /**
     * Whether the path is a directory at present; otherwise it is a regular file.
     *
     * @throws ArtifactException if it is neither, does not exist, or cannot be looked at
     */
    public boolean isDirectory() throws ArtifactException {
      try {
        var attributes =
            Files.readAttributes(path, java.nio.file.attribute.BasicFileAttributes.class);
        if (attributes.isDirectory() || attributes.isRegularFile()) {
          return attributes.isDirectory();
        }
      } catch (java.io.IOException failed) {
        throw ArtifactException.of(failed, "use the source", path);
      }
      throw new ArtifactException(
          Reason.BAD_SOURCE, "use the source", path, "it is neither a file nor a directory");
    }

    @Override
    public String toString() {
      return path.toString();
    }
  }

  /**
   * An archive of this machine, named by a {@code file:} URL.
   *
   * @param path an absolute path without {@code .} and {@code ..}
   */
  record LocalArchive(Path path) implements ArtifactSource {
    @Override
    public String toString() {
      return path.toUri().toString();
    }
  }

  /**
   * An archive that an HTTP server sends.
   *
   * @param url an absolute URL with the scheme http or https and without a user
   */
  record WebArchive(URI url) implements ArtifactSource {
    /** The URL without its query, which may hold a secret. */
    @Override
    public String toString() {
      return shown(url);
    }
  }

  /**
   * Reads a text: an absolute path, or a URL with the scheme file, http or https.
   *
   * @throws ArtifactException with the reason BAD_SOURCE for any other text
   */
  static ArtifactSource parse(String text) throws ArtifactException {
    if (text.isEmpty() || text.length() > MOST_CHARACTERS) {
      throw refused("a source", "it has %d characters".formatted(text.length()));
    }
    if (text.startsWith("/")) {
      return new LocalPath(path(text, text));
    }
    var scheme = scheme(text).orElseThrow(() -> relative(text));
    return switch (scheme) {
      case "file" -> new LocalArchive(file(url(text)));
      case "http", "https" -> new WebArchive(web(url(text), scheme));
      default ->
          throw refused(
              '"' + scheme + ":\"", "the schemes are http, https and file; or use a path");
    };
  }

  private static Optional<String> scheme(String text) {
    int colon = text.indexOf(':');
    var scheme = colon < 0 ? "" : text.substring(0, colon);
    return scheme.matches("[A-Za-z][A-Za-z0-9+.-]*")
        ? Optional.of(scheme.toLowerCase(Locale.ROOT))
        : Optional.empty();
  }

  private static ArtifactException relative(String text) {
    return refused('"' + text + '"', "a path must be absolute, and a URL must have a scheme");
  }

  private static URI url(String text) throws ArtifactException {
    try {
      return new URI(text);
    } catch (URISyntaxException malformed) {
      // The message of the cause holds the text, and so perhaps a password.
      throw refused("a URL", "it is malformed at character " + malformed.getIndex());
    }
  }

  private static Path file(URI url) throws ArtifactException {
    if (url.getRawQuery() != null || url.getRawFragment() != null || url.getRawUserInfo() != null) {
      throw refused("a file: URL", "it has more than a path");
    }
    var host = url.getHost();
    if (url.getPath() == null || (url.getRawAuthority() != null && !"localhost".equals(host))) {
      throw refused("a file: URL", "it is not of the form file:///path");
    }
    if (!url.getPath().startsWith("/")) {
      throw refused("a file: URL", "its path is not absolute");
    }
    return path(url.getPath(), "file:" + url.getPath());
  }

  private static Path path(String text, String shown) throws ArtifactException {
    if (hasDots(text)) {
      throw refused('"' + shown + '"', "the path must not contain \".\" or \"..\"");
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException invalid) {
      throw refused("a path", "it has characters that file names cannot have");
    }
  }

  private static URI web(URI url, String scheme) throws ArtifactException {
    if (url.getRawUserInfo() != null) {
      throw refused(
          "a URL of " + url.getHost(), "it has a user or password, which all readers would see");
    }
    if (url.getHost() == null) {
      throw refused("a URL", "it has no valid host");
    }
    if (url.getRawFragment() != null) {
      throw refused('"' + shown(url) + '"', "it has a fragment (#)");
    }
    if (url.getPort() == 0 || url.getPort() > 65535) {
      throw refused('"' + shown(url) + '"', "its port is not between 1 and 65535");
    }
    if (hasDots(url.getPath())) {
      throw refused('"' + shown(url) + '"', "its path must not contain \".\" or \"..\"");
    }
    return scheme.equals(url.getScheme())
        ? url
        : URI.create(scheme + url.toString().substring(scheme.length()));
  }

  private static boolean hasDots(String path) {
    return List.of(path.split("/", -1)).stream().anyMatch(it -> it.equals(".") || it.equals(".."));
  }

  private static ArtifactException refused(String what, String why) {
    return new ArtifactException(Reason.BAD_SOURCE, "use the source", what, why);
  }

  /** A URL for messages: without user and query, which may hold secrets. */
  static String shown(URI url) {
    return url.getScheme()
        + "://"
        + (url.getHost() == null ? "" : url.getHost())
        + (url.getPort() < 0 ? "" : ":" + url.getPort())
        + url.getRawPath()
        + (url.getRawQuery() == null ? "" : "?…");
  }
}
