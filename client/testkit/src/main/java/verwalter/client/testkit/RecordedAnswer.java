package verwalter.client.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import verwalter.client.transport.Receiver;

/** A receiver that records its calls. Safe to read from any thread. */
public final class RecordedAnswer implements Receiver {
  private final List<String> events = new CopyOnWriteArrayList<>();
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private final List<Runnable> unasked = new ArrayList<>();
  private final boolean eager;
  private int status;
  private int largest;
  private Map<String, String> headers = Map.of();
  private @Nullable IOException failure;

  /**
   * @param eager whether to request each next piece at once
   */
  public RecordedAnswer(boolean eager) {
    this.eager = eager;
  }

  /** The names of the calls so far, pieces of one body as one {@code data}. */
  public List<String> events() {
    return List.copyOf(events);
  }

  /** Whether the answer has ended or failed. */
  public boolean isOver() {
    return events.contains("end") || events.contains("failed");
  }

  public synchronized int status() {
    return status;
  }

  public synchronized Map<String, String> headers() {
    return headers;
  }

  public synchronized String body() {
    return body.toString(UTF_8);
  }

  public synchronized int size() {
    return body.size();
  }

  /** The size of the largest piece in bytes. */
  public synchronized int largest() {
    return largest;
  }

  /** The message of the failure; empty if there is none. */
  public synchronized String failure() {
    return failure == null ? "" : String.valueOf(failure.getMessage());
  }

  /** Requests the next piece. */
  public void ask() {
    List<Runnable> all;
    synchronized (this) {
      all = List.copyOf(unasked);
      unasked.clear();
    }
    all.forEach(Runnable::run);
  }

  @Override
  public synchronized void head(int status, Map<String, String> headers) {
    this.status = status;
    this.headers = headers;
    events.add("head");
  }

  @Override
  public void data(byte[] bytes, Runnable next) {
    synchronized (this) {
      largest = Math.max(largest, bytes.length);
      body.writeBytes(bytes);
      if (!events.get(events.size() - 1).equals("data")) {
        events.add("data");
      }
      if (!eager) {
        unasked.add(next);
        return;
      }
    }
    next.run();
  }

  @Override
  public void end() {
    events.add("end");
  }

  @Override
  public synchronized void failed(IOException why) {
    failure = why;
    events.add("failed");
  }
}
