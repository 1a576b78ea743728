package verwalter.artifacts;

import java.nio.file.Path;
import java.time.Instant;

/**
 * A complete release on the disk of this machine.
 *
 * @param key that the caller has given it
 * @param path directory with its files, which are read-only
 * @param blob digest of the archive that it was unpacked from
 * @param entries number of its files, directories and links
 * @param bytes of all its files
 * @param lastNamed when it was created, or when {@link ReleaseStore#touch} last named it
 */
public record UnpackedRelease(
    String key, Path path, Digest blob, long entries, long bytes, Instant lastNamed) {}
