package verwalter.supervisor.lithos;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Reads configuration files up to a size limit. */
final class Texts {
  private static final long MOST_BYTES = 4 << 20;

  /** The text of a file; a failure to read it is a problem at its first character. */
  static String read(Path file) throws ConfigException {
    try {
      if (Files.size(file) > MOST_BYTES) {
        throw unreadable(file, "is larger than 4 MiB");
      }
      return Files.readString(file);
    } catch (NoSuchFileException missing) {
      throw unreadable(file, "no such file");
    } catch (AccessDeniedException denied) {
      throw unreadable(file, "permission denied");
    } catch (CharacterCodingException notText) {
      throw unreadable(file, "is not UTF-8 text");
    } catch (IOException broken) {
      throw unreadable(file, "cannot be read: " + broken.getMessage());
    }
  }

  private static ConfigException unreadable(Path file, String why) {
    return new ConfigException(List.of(new ConfigProblem(file.toString(), 1, 1, why)));
  }

  private Texts() {}
}
