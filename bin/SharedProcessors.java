import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A class loader for the annotation processors and plugins of javac, as {@code -XDprocloader} takes
 * it. All runs of javac in one JVM share the classes of equal paths. Otherwise each module would
 * load Error Prone anew, and its code would never be compiled: that takes half of a build.
 */
public final class SharedProcessors extends ClassLoader {
  private static final ConcurrentHashMap<String, URLClassLoader> SHARED = new ConcurrentHashMap<>();

  public SharedProcessors(URL[] path, ClassLoader parent) {
    super(
        SHARED.computeIfAbsent(Arrays.toString(path), any -> new URLClassLoader(path, parent)));
  }
}
