/**
 * Archives that are downloaded, verified and unpacked to release directories, on one machine.
 *
 * <p>{@link verwalter.artifacts.BlobStore} fetches archives from an {@link
 * verwalter.artifacts.ArtifactSource} and keeps each under its {@link verwalter.artifacts.Digest}.
 * {@link verwalter.artifacts.ReleaseStore} unpacks a blob to a directory of read-only files that
 * appears as a whole or not at all. {@link verwalter.artifacts.UnusedItems} says which of them may
 * be deleted.
 *
 * <p>Only the disk is asked what exists; nothing is remembered between calls but locks. All calls
 * block, and are made on worker threads. They may come from several threads; calls for the same
 * name wait for each other. Every failure is an {@link verwalter.artifacts.ArtifactException}.
 */
@NullMarked
package verwalter.artifacts;

import org.jspecify.annotations.NullMarked;
