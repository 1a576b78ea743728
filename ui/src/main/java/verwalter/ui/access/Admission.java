package verwalter.ui.access;

import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import verwalter.access.AccessVerb;
import verwalter.access.Caller;
import verwalter.access.Operation;
import verwalter.model.Resource;
import verwalter.ui.http.RequestProblem;

/** A request that may go on, with its caller. Belongs to the loop. */
public final class Admission {
  private static final String KEY = "verwalter.admission";

  private final Gatekeeper gatekeeper;
  private final RoutingContext context;
  private Caller caller;
  private Operation operation;
  private boolean recording;

  Admission(Gatekeeper gatekeeper, RoutingContext context, Caller caller, Operation operation) {
    this.gatekeeper = gatekeeper;
    this.context = context;
    this.caller = caller;
    this.operation = operation;
    context.put(KEY, this);
  }

  /** The admission of a request that has passed the gate. */
  public static Admission of(RoutingContext context) {
    Admission admission = context.get(KEY);
    if (admission == null) {
      throw new IllegalStateException("the request has not passed the gate");
    }
    return admission;
  }

  static boolean exists(RoutingContext context) {
    return context.get(KEY) != null;
  }

  public Caller caller() {
    return caller;
  }

  Operation operation() {
    return operation;
  }

  RoutingContext context() {
    return context;
  }

  /** Leaves the record of this request in the audit log to {@link #record}. */
  public void recordsItself() {
    recording = true;
  }

  boolean isRecordedElsewhere() {
    return recording;
  }

  /**
   * Records something that the caller did by this request.
   *
   * @param verb a word, such as {@code exec}
   * @param object what it was done to, without secrets
   * @param outcome an HTTP status or an exit code
   * @param change the {@link #hash} of what was sent
   */
  public void record(String verb, String object, int outcome, String change) {
    gatekeeper.record(this, verb, object, outcome, change);
  }

  /** What the audit log has of something that was sent: its SHA-256, lower-case hex. */
  public static String hash(Buffer sent) {
    return Gatekeeper.hash(sent);
  }

  /** Ends the request, whose connection was switched to another protocol. */
  public void end() {
    gatekeeper.forget(this);
  }

  /**
   * Decides again, now that the object is known.
   *
   * @throws RequestProblem 403 if the caller may not write this object
   */
  public void confirm(AccessVerb verb, Resource<?, ?> object) {
    var known = Operation.on(verb, object);
    gatekeeper.require(caller, known);
    operation = known;
  }
}
