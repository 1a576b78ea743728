package verwalter.ui.port;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import verwalter.model.Schedule;
import verwalter.model.Scheduler;

/**
 * Answers queries about a schedule. Calls block for as long as the budget of {@code query.wasm}
 * allows: make them off the loop.
 */
public interface Queries {
  /**
   * The roles that this node renders, {@code {"to_render": {role: variables}, "all_roles": [role,
   * ...]}}.
   *
   * @throws Scheduler.Failed if {@code query.wasm} fails or refuses
   */
  Map<String, Object> roles(Schedule.Spec schedule) throws Scheduler.Failed;

  /**
   * Any JSON value that answers a question of the frontend.
   *
   * @param path what follows {@code /v1/query/}
   * @param body the value that was posted
   * @throws Scheduler.Failed if there is no {@code query.wasm}, or it fails or refuses
   */
  @Nullable Object query(Schedule.Spec schedule, String path, @Nullable Object body)
      throws Scheduler.Failed;

  /** Answers no query; for servers without a node. */
  Queries NONE =
      new Queries() {
        @Override
        public Map<String, Object> roles(Schedule.Spec schedule) throws Scheduler.Failed {
          throw new Scheduler.Failed("this server has no node", "");
        }

        @Override
        public @Nullable Object query(Schedule.Spec schedule, String path, @Nullable Object body)
            throws Scheduler.Failed {
          throw new Scheduler.Failed("this server has no query interface", "");
        }
      };
}
