package verwalter.metrics;

import io.vertx.core.Future;

/** Asks a process of this machine, over HTTP at 127.0.0.1. */
@FunctionalInterface
public interface Fetch {
  /** What is accepted, the best first. */
  String ACCEPT =
      "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.8,*/*;q=0.1";

  /** How much of an answer is read, in bytes. */
  int LARGEST = 4 << 20;

  /** How long an answer may take, in milliseconds. */
  long TIME = 2_000;

  /**
   * The body of the answer. Fails, with a message for people, if there is none in {@link #TIME}, it
   * is larger than {@link #LARGEST}, is not 200, or is a page.
   */
  Future<String> get(int port, String path);
}
