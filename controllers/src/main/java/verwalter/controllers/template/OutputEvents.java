package verwalter.controllers.template;

import java.util.Optional;
import verwalter.controllers.runtime.Events;
import verwalter.model.Event;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.TemplateOutput.Spec;
import verwalter.model.TemplateOutput.Status;

/** Reports events about a template output when its state changes. */
record OutputEvents(Events events) {

  /** Reports that the output was applied or checked; {@code status} is its new status. */
  void applied(Resource<Spec, Status> output, Templates.Applied applied, Status status) {
    var last = output.status().flatMap(Status::drift).filter(drift -> !drift.repaired());
    if (!applied.drifted().isEmpty()
        && last.filter(drift -> drift.files().equals(applied.drifted())).isEmpty()) {
      report(output, Event.Type.WARNING, Reason.DRIFTED, OutputStatus.paths(applied.drifted()));
    }
    if (!applied.overruled().isEmpty()) {
      report(
          output,
          Event.Type.WARNING,
          Reason.GUARD_OVERRULED,
          "an operator allowed a held rendering: " + String.join("; ", applied.overruled()));
    }
    if (applied.changed()) {
      inPlace(output, applied, status);
    }
  }

  private void inPlace(Resource<Spec, Status> output, Templates.Applied applied, Status status) {
    var places =
        "%d files, %d process files are in place"
            .formatted(status.files().size(), status.processes().size());
    if (applied.repaired()
        && output.status().map(Status::input).equals(Optional.of(status.input()))) {
      report(
          output,
          Event.Type.NORMAL,
          Reason.REPAIRED,
          OutputStatus.paths(applied.drifted()) + ": restored");
    } else {
      var pin = OutputStatus.pin(output);
      report(
          output,
          Event.Type.NORMAL,
          pin.isPresent() ? Reason.ROLLED_BACK : Reason.RENDERED,
          pin.map(id -> "release " + id + ": ").orElse("") + places);
    }
  }

  /** Reports that the output could not be applied; {@code status} is its new status. */
  void failed(Resource<Spec, Status> output, Templates.Failed failure, String why, Status status) {
    if (!output.status().map(Status::conditions).equals(Optional.of(status.conditions()))) {
      boolean waiting = failure.why() == Templates.Failed.Why.WAITING;
      report(output, waiting ? Event.Type.NORMAL : Event.Type.WARNING, failure.why().reason(), why);
    }
  }

  private void report(
      Resource<Spec, Status> output, Event.Type type, Reason reason, String message) {
    events.report(TemplateReconciler.NAME, output.key(), type, reason, message);
  }
}
