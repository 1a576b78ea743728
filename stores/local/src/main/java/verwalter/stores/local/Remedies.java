package verwalter.stores.local;

/** Instructions for the repair of a damaged store. */
final class Remedies {
  static final String BACKUP =
      "Restore the directory from a backup; or move it aside, and the agent begins with an empty"
          + " store and, in a cluster, fetches the cluster's objects again";

  private Remedies() {}

  /** For damage to files that only the history needs. */
  static String onlyHistory(String snapshot) {
    return ("Move every snapshot and every log with a lower number than %s out of the directory:"
            + " it contains all objects at that time, so nothing but history is lost")
        .formatted(snapshot);
  }

  /** For lost entries at the end of the logs. */
  static String withoutTheEnd(long revision) {
    return "%s. To go on without the entries from %d on, delete the file %s in the directory"
        .formatted(BACKUP, revision, DurableMarker.NAME);
  }

  /** For damage to the file that names a durable entry, while the other files are whole. */
  static String withoutMarker(long last) {
    return ("The other files are not damaged, and end with entry %d; this file only serves to notice"
            + " that later entries were lost. Delete the file %s in the directory, and the agent"
            + " creates it again; or restore the directory from a backup")
        .formatted(last, DurableMarker.NAME);
  }

  /** For damage to a log after valid entries. */
  static String giveUp(String log, long offset, long revision) {
    return ("%s. To keep everything before the damage and lose everything from revision %d on,"
            + " move all later logs out of the directory, run 'truncate -s %d %s' in it, and delete the"
            + " file %s in it")
        .formatted(BACKUP, revision, offset, log, DurableMarker.NAME);
  }
}
