package verwalter.agent;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * Parts of Verwalter whose jars are not on the agent's class path. Each is in a separate directory
 * beside the agent's jars and is loaded on demand.
 */
final class OptionalJars {
  /** The system property with the parent of these directories; set by the launcher. */
  static final String PROPERTY = "verwalter.lib";

  private OptionalJars() {}

  /**
   * Loads the implementation of a service from a part. An implementation on the class path has
   * precedence. The jars of the part stay open until the process ends.
   *
   * @throws SetupFailed if the part is missing or has no such implementation
   */
  static <S> S load(Class<S> service, String part) throws SetupFailed {
    var present = first(service, OptionalJars.class.getClassLoader());
    if (present.isPresent()) {
      return present.get();
    }
    var root = System.getProperty(PROPERTY);
    if (root == null) {
      throw missing(part, "it is not on the class path, and -D" + PROPERTY + " is not set");
    }
    var directory = Path.of(root).resolve(part);
    return first(service, new URLClassLoader(jars(part, directory), service.getClassLoader()))
        .orElseThrow(
            () -> missing(part, "no jar in " + directory + " has a " + service.getSimpleName()));
  }

  private static <S> Optional<S> first(Class<S> service, ClassLoader loader) {
    return ServiceLoader.load(service, loader).findFirst();
  }

  private static URL[] jars(String part, Path directory) throws SetupFailed {
    try (var files = Files.newDirectoryStream(directory, "*.jar")) {
      var urls = new ArrayList<URL>();
      for (var file : files) {
        urls.add(url(file));
      }
      return urls.toArray(URL[]::new);
    } catch (IOException failure) {
      throw missing(part, "there is no directory " + directory);
    }
  }

  private static URL url(Path file) throws MalformedURLException {
    return file.toUri().toURL();
  }

  private static SetupFailed missing(String part, String why) {
    return new SetupFailed(
        ExitCode.SETUP,
        part
            + " is not installed: "
            + why
            + ". Build it with bin/build, or start without the option that needs it.");
  }
}
