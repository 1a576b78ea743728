package verwalter.ui.access;

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
