package verwalter.cluster.forks;

import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import verwalter.stores.local.LocalStore;
import verwalter.stores.local.LogCopy;
import verwalter.stores.local.Options;

/**
 * The directory of the forks of a node. Names contain the folder, if there is one: {@code
 * ended-7/fork.json}. Methods block, and what they change is durable when they return.
 */
public interface ForkDisk {
  /** The text of a file; empty if there is none. */
  Optional<String> read(String file) throws IOException;

  /** Writes a file atomically, and its folder if that is missing. */
  void write(String file, String text) throws IOException;

  /** Deletes a file, which need not exist. */
  void delete(String file) throws IOException;

  /** Moves a file atomically into a folder, which is created if it is missing. */
  void moveFile(String file, String folder) throws IOException;

  /** Whether there is a folder. */
  boolean hasFolder(String folder);

  /** The names of all folders that begin with {@code prefix}, in any order. */
  List<String> folders(String prefix) throws IOException;

  /** Moves a folder atomically. The folder that will contain it is created if it is missing. */
  void moveFolder(String from, String to) throws IOException;

  /** Deletes a folder and the files in it, or does nothing if it does not exist. */
  void deleteFolder(String folder) throws IOException;

  /** Opens the copy of a log in a folder, which is created if it is missing. */
  LogCopy copy(String folder, long logBytes, Supplier<String> uids) throws IOException;

  /** Opens the store in a folder, which is created if it is missing. */
  LocalStore store(
      String folder, Options options, Executor executor, InstantSource clock, Supplier<String> uids)
      throws IOException;

  /** The place of a folder, for messages. */
  String place(String folder);
}
