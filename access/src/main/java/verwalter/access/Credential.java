package verwalter.access;

/** How the name of a caller is known. */
public enum Credential {
  /** The user of the process at the other end of the unix socket, as the kernel reports it. */
  SOCKET_PEER("unix socket"),
  /** A certificate of a person or a program. */
  CLIENT_CERTIFICATE("client certificate"),
  /** An access token. */
  BEARER_TOKEN("bearer token"),
  /** A certificate of another node of the cluster. */
  NODE_CERTIFICATE("node certificate"),
  /** Nothing: the caller is anonymous. */
  NONE("anonymous");

  private final String title;

  Credential(String title) {
    this.title = title;
  }

  /** The words for messages and the audit log. */
  public String title() {
    return title;
  }
}
