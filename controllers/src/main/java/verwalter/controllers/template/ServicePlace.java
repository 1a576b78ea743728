package verwalter.controllers.template;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import verwalter.model.TemplateOutput;

/** Where the agent keeps the files of services on its machine. All methods may block. */
public interface ServicePlace {
  /**
   * The directory of a set of files of a service.
   *
   * @param name the name of the set
   */
  Path directory(String role, String name);

  /** Whether a file is one of a service. */
  boolean isOurs(String path);

  /**
   * Writes the files of a directory that differ, each in one step. Everybody may read them.
   *
   * @param texts by relative path
   * @return all of them
   */
  List<TemplateOutput.File> write(Path directory, Map<String, String> texts) throws IOException;

  /** Removes the directories of a service that none of these paths is in. */
  void retain(String role, Set<Path> paths) throws IOException;

  /**
   * Makes sure that an account can reach a path.
   *
   * @throws IOException if it cannot; the message has the directory, and what to do
   */
  void open(Path path, Accounts.Account account) throws IOException;
}
