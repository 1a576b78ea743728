package verwalter.stores.local;

/** What to do about a damaged store, in words. */
final class Remedies {
  static final String BACKUP =
      "Restore the directory from a backup; or move it aside, and the agent begins with an empty"
          + " store and, in a cluster, fetches the cluster's objects again";

  private Remedies() {}

  /** For damage to what only the history needs. */
  static String onlyHistory(String snapshot) {
    return ("Move every snapshot and every log with a lower number than %s out of the directory:"
            + " it holds all objects as they stood then, so nothing but history is lost")
        .formatted(snapshot);
  }

  /** For damage to a log before which everything is in order. */
  static String giveUp(String log, long offset, long revision) {
    return ("%s. To keep what is before the damage and give up everything from revision %d on,"
            + " move all later logs out of the directory and run 'truncate -s %d %s' in it")
        .formatted(BACKUP, revision, offset, log);
  }
}
