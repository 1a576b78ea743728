package verwalter.controllers.template;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import verwalter.model.TemplateOutput;

/** Files of services in memory, below {@code /services}. */
final class FakeServicePlace implements ServicePlace {
  private static final Path ROOT = Path.of("/services");

  /** The present files by path. */
  final Map<String, String> files = new TreeMap<>();

  /** Who was let through where. */
  final List<String> opened = new ArrayList<>();

  @Override
  public Path directory(String role, String name) {
    return ROOT.resolve(role).resolve(name);
  }

  @Override
  public boolean isOurs(String path) {
    return Path.of(path).startsWith(ROOT);
  }

  @Override
  public List<TemplateOutput.File> write(Path directory, Map<String, String> texts) {
    var written = new ArrayList<TemplateOutput.File>();
    texts.forEach(
        (to, text) -> {
          var path = directory.resolve(to).toString();
          files.put(path, text);
          written.add(new TemplateOutput.File(path, "x", "0644", text.length()));
        });
    return written;
  }

  @Override
  public void retain(String role, Set<Path> paths) {
    files
        .keySet()
        .removeIf(
            file -> {
              var set = ROOT.resolve(role);
              if (!Path.of(file).startsWith(set)) {
                return false;
              }
              var own = set.resolve(set.relativize(Path.of(file)).getName(0));
              return paths.stream().noneMatch(path -> path.startsWith(own));
            });
  }

  @Override
  public void open(Path path, Accounts.Account account) {
    opened.add(path + " " + account.user());
  }
}
