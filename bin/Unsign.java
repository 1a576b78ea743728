import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Removes the signatures of the jars that are named. A JVM takes no class of a signed jar into a
 * class-data archive, and holds a checksum of each of its files in memory. Maven has compared the
 * checksum of the jar.
 */
final class Unsign {
  private static final Pattern SIGNATURE = Pattern.compile("META-INF/[^/]+\\.(SF|RSA|DSA|EC)");

  public static void main(String[] jars) throws IOException {
    for (var jar : jars) {
      if (isSigned(Path.of(jar))) {
        rewrite(Path.of(jar));
      }
    }
  }

  private static boolean isSigned(Path jar) throws IOException {
    try (var zip = new ZipFile(jar.toFile())) {
      return zip.stream().anyMatch(entry -> SIGNATURE.matcher(entry.getName()).matches());
    }
  }

  private static void rewrite(Path jar) throws IOException {
    var next = jar.resolveSibling(jar.getFileName() + ".new");
    try (var from = new ZipFile(jar.toFile());
        var to = new ZipOutputStream(Files.newOutputStream(next))) {
      for (var entries = from.entries(); entries.hasMoreElements(); ) {
        var entry = entries.nextElement();
        if (SIGNATURE.matcher(entry.getName()).matches()) {
          continue;
        }
        var copy = new ZipEntry(entry.getName());
        copy.setTime(entry.getTime());
        to.putNextEntry(copy);
        try (var content = from.getInputStream(entry)) {
          if (entry.getName().equals(JarFile.MANIFEST_NAME)) {
            var manifest = new Manifest(content);
            manifest.getEntries().clear(); // checksums
            manifest.write(to);
          } else {
            content.transferTo(to);
          }
        }
        to.closeEntry();
      }
    }
    Files.move(next, jar, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
