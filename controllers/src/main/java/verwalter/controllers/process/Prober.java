package verwalter.controllers.process;

import io.vertx.core.Future;
import verwalter.model.ProcessSpec;

/** Makes single attempts of probes. */
@FunctionalInterface
public interface Prober {
  /** Makes no attempt: of no process is known whether it is ready. */
  Prober NONE =
      (probe, slot, command) ->
          Future.succeededFuture(ProbeResult.unknown("this agent does not run probes"));

  /**
   * Makes one attempt, which ends after {@link ProcessSpec.Probe#timeoutSeconds} at the latest.
   * Never blocks. The future never fails; it may complete on any thread.
   *
   * @param slot the name of the process, such as {@code shop/web.0}
   * @param command the process, whose user, directory and environment apply to a command
   */
  Future<ProbeResult> probe(ProcessSpec.Probe probe, String slot, ProcessSpec.Command command);
}
