package verwalter.ui.http;

import io.vertx.ext.web.RoutingContext;

/** Decides whether a request may reach its route. */
public interface Gate {
  /**
   * Checks that there is a rule for a route.
   *
   * @throws IllegalStateException if there is none
   */
  void expect(String route);

  /**
   * Lets a request pass. Called on the loop.
   *
   * @throws RequestProblem 401 or 403 if the caller may not do this
   */
  void admit(RoutingContext context, String route);
}
