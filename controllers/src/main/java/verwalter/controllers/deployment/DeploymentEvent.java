package verwalter.controllers.deployment;

/** What a pass over a ref has found; of several, the first that {@link Observed#event} names. */
enum DeploymentEvent {
  /** Nothing is to be done now: a work is in progress, a time has not come, or all is done. */
  NOTHING,
  /** The digest is known, but there is no artifact object for it. */
  ARTIFACT_ABSENT,
  /** There is one, but it is being removed. */
  ARTIFACT_ENDING,
  /** The files of the release are complete on the disk. */
  RELEASE_COMPLETE,
  /** They were, and are not any longer. */
  RELEASE_MISSING,
  /** The digest of the spec is malformed, or differs from the one that was found first. */
  DIGEST_BAD,
  /** The spec, the release on the disk or a download says the digest. */
  DIGEST_KNOWN,
  /** The archive is on the disk. */
  ARCHIVE_COMPLETE,
  /** It was, and is not any longer. */
  ARCHIVE_MISSING,
  /** A step failed, and is tried again. */
  FAILED,
  /** A step failed, and trying again does not help. */
  FAILED_FOR_EVER,
  /** A step failed since the disk is full. */
  NO_SPACE,
  /** The source has other bytes, and is tried again. */
  DIGEST_DIFFERS,
  /** The source has other bytes, as often as it was tried. */
  DIGEST_DIFFERS_FOR_EVER,
  /** The next step can begin. */
  START
}
