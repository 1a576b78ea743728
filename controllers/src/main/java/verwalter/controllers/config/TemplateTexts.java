package verwalter.controllers.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import verwalter.model.Names;
import verwalter.model.json.DecodeException;
import verwalter.model.json.Problem;
import verwalter.model.service.ServiceFile;
import verwalter.model.service.ServiceSource;

/**
 * The templates of one service, which are below a directory beside its file. A link that leads
 * outside of it is an error.
 *
 * @param directory the directory {@code roles/NAME/}, which may be missing
 * @param source the name of the file of the service in problems
 * @param text the text of that file
 */
record TemplateTexts(Path directory, String source, String text) {
  /** The limit of the depth of the directory. */
  private static final int DEEPEST = 10;

  /** The limit of the names that are compared with that of a missing template. */
  private static final int MOST_NAMES = 1000;

  /**
   * The texts by name. Blocks on disk I/O.
   *
   * @throws DecodeException with each template that cannot be read, and where the file names it
   */
  Map<String, String> of(ServiceFile service) throws DecodeException {
    var texts = new TreeMap<String, String>();
    var problems = new ArrayList<Problem>();
    for (var file : service.files()) {
      if (!texts.containsKey(file.template())) {
        try {
          texts.put(file.template(), read(file.template()));
        } catch (DecodeException wrong) {
          problems.addAll(wrong.problems());
        }
      }
    }
    long size = texts.values().stream().mapToLong(String::length).sum();
    if (size > ServiceSource.MOST_TEXT) {
      problems.add(
          Problem.at(
              source,
              1,
              1,
              "its templates have %d characters together, and at most %d are allowed"
                  .formatted(size, ServiceSource.MOST_TEXT)));
    }
    if (!problems.isEmpty()) {
      throw new DecodeException(problems);
    }
    return texts;
  }

  private String read(String template) throws DecodeException {
    var file = directory.resolve(template);
    if (!Files.exists(file)) {
      throw at(template, "there is no file " + file, Names.nearest(template, names()));
    }
    try {
      if (!file.toRealPath().startsWith(directory.toRealPath())) {
        throw at(template, file + " is a link that leads outside of the directory");
      }
    } catch (IOException unreadable) {
      throw at(template, file + " cannot be read: " + unreadable.getClass().getSimpleName());
    }
    return RolesDirectory.text(file);
  }

  private DecodeException at(String template, String message) {
    return at(template, message, Optional.empty());
  }

  /** A problem at the place where the file names the template first. */
  private DecodeException at(String template, String message, Optional<String> suggestion) {
    int at = Math.max(0, text.indexOf(template));
    int line = 1 + (int) text.substring(0, at).chars().filter(each -> each == '\n').count();
    int column = at - text.lastIndexOf('\n', at - 1);
    return new DecodeException(new Problem(source, line, column, "files", message, suggestion));
  }

  private List<String> names() {
    try (var files = Files.walk(directory, DEEPEST)) {
      return files
          .limit(MOST_NAMES)
          .filter(Files::isRegularFile)
          .map(file -> directory.relativize(file).toString())
          .toList();
    } catch (IOException missing) {
      return List.of();
    }
  }
}
