package verwalter.client.testkit;

/**
 * A request received by a scripted server.
 *
 * @param path path and query
 * @param head the request line and all headers
 */
public record ReceivedRequest(String method, String path, String head, String body) {
  /** {@code GET /path}, without the query. */
  public String line() {
    return method + " " + (path.indexOf('?') < 0 ? path : path.substring(0, path.indexOf('?')));
  }

  /** Whether it accepts a Kubernetes table. */
  public boolean wantsTable() {
    return head.contains("as=Table");
  }
}
