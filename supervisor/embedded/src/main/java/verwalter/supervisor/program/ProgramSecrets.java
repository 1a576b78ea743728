package verwalter.supervisor.program;

import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The secrets of a program: files of which it gets copies that only its user may read.
 *
 * @param sources the files by the names of their copies
 * @param user the id of the user of the program
 * @param group the id of its group
 */
public record ProgramSecrets(Map<String, Path> sources, long user, long group) {
  /** No secrets. */
  public static final ProgramSecrets NONE = new ProgramSecrets(Map.of(), 0, 0);

  public ProgramSecrets {
    sources = Collections.unmodifiableMap(new TreeMap<>(sources));
  }
}
