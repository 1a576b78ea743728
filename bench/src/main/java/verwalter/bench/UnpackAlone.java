package verwalter.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import verwalter.artifacts.Blob;
import verwalter.artifacts.Cancellation;
import verwalter.artifacts.Digest;
import verwalter.artifacts.FreeSpace;
import verwalter.artifacts.ReleaseStore;
import verwalter.artifacts.UnpackLimits;
import verwalter.artifacts.WorkProgress;

/**
 * Unpacking without an agent, for {@code unpack.py}: unpacks an archive into a release several
 * times as an agent does, with digests of all files and everything synced, and prints the seconds
 * of each time.
 */
public final class UnpackAlone {
  private static final int SYNCING = 4;

  /** Arguments: an empty directory, the archive, its SHA-256, the number of rounds. */
  public static void main(String[] arguments) throws Exception {
    var archive = Path.of(arguments[1]).toAbsolutePath();
    var blob = new Blob(Digest.parse("sha256:" + arguments[2]), archive, Files.size(archive));
    var syncing = Executors.newFixedThreadPool(SYNCING);
    var store =
        new ReleaseStore(
            Path.of(arguments[0]).toAbsolutePath(),
            UnpackLimits.DEFAULT,
            FreeSpace.OF_DISK,
            syncing);
    for (int round = 0; round < Integer.parseInt(arguments[3]); round++) {
      var cancellation = new Cancellation();
      long began = System.nanoTime();
      store.create("bench", blob, WorkProgress.NONE, cancellation);
      System.out.println((System.nanoTime() - began) / 1e9);
      store.remove("bench", cancellation);
    }
    syncing.shutdown();
  }

  private UnpackAlone() {}
}
