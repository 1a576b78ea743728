package verwalter.e2e;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Requests to one web server, one at a time and at most a hundred each second, with the answer to
 * each. A request that fails is not repeated.
 */
final class SteadyLoad implements AutoCloseable {
  private static final int PACE_MILLIS = 10;
  private static final int TIMEOUT_MILLIS = 2_000;
  private static final byte[] REQUEST =
      "GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final List<Answer> answers = new ArrayList<>();

  /**
   * The answer to a request.
   *
   * @param began when it was sent, in milliseconds of the clock of this machine
   * @param ended when it was answered or failed
   * @param text the body; empty if the request has failed
   */
  record Answer(long began, long ended, String text) {
    boolean failed() {
      return text.isEmpty();
    }
  }

  /** A time in which no request was answered, in milliseconds of the clock. */
  record Outage(long began, long ended) {
    long millis() {
      return ended - began;
    }
  }

  /** Begins to ask a server of this machine. */
  static SteadyLoad on(int port) {
    return on(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  /** Begins to ask a server. */
  @SuppressWarnings("FutureReturnValueIgnored") // asking never fails
  static SteadyLoad on(InetSocketAddress server) {
    var load = new SteadyLoad();
    load.thread.scheduleAtFixedRate(
        () -> load.add(once(server)), 0, PACE_MILLIS, TimeUnit.MILLISECONDS);
    return load;
  }

  /** Asks a server once. */
  static Answer once(InetSocketAddress server) {
    long began = System.currentTimeMillis();
    var text = "";
    try (var socket = new Socket()) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.connect(server, TIMEOUT_MILLIS);
      socket.getOutputStream().write(REQUEST);
      var answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      int head = answer.indexOf("\r\n\r\n");
      text = head < 0 ? "" : answer.substring(head).strip();
    } catch (IOException refused) {
      text = "";
    }
    return new Answer(began, System.currentTimeMillis(), text);
  }

  private synchronized void add(Answer answer) {
    answers.add(answer);
  }

  /** All answers so far. */
  synchronized List<Answer> answers() {
    return List.copyOf(answers);
  }

  /**
   * The times without an answer since a moment: each from the begin of the first request that
   * failed to the end of the next one that was answered.
   */
  List<Outage> outages(long since) {
    var outages = new ArrayList<Outage>();
    long began = 0;
    for (var answer : answers()) {
      if (answer.began() < since) {
        continue;
      }
      if (answer.failed() && began == 0) {
        began = answer.began();
      } else if (!answer.failed() && began != 0) {
        outages.add(new Outage(began, answer.ended()));
        began = 0;
      }
    }
    if (began != 0) {
      outages.add(new Outage(began, Long.MAX_VALUE));
    }
    return outages;
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
