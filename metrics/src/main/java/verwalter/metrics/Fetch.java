package verwalter.metrics;

import io.vertx.core.Future;

/** Fetches metrics of a process over HTTP at 127.0.0.1. */
@FunctionalInterface
public interface Fetch {
  /** The accepted formats, the preferred one first. */
  String ACCEPT =
      "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.8,*/*;q=0.1";

  /** The limit of an answer in bytes. */
  int LARGEST = 4 << 20;

  /** The timeout of an answer in milliseconds. */
  long TIME = 2_000;

  /**
   * Fetches the body of the answer. Fails if there is no answer within {@link #TIME}, if it is
   * larger than {@link #LARGEST}, if its status is not 200, or if it is an HTML page.
   */
  Future<String> get(int port, String path);
}
