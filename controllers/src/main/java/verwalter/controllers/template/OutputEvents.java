package verwalter.controllers.template;

import java.util.Optional;
import verwalter.controllers.runtime.Events;
import verwalter.model.Event;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.TemplateOutput.Spec;
import verwalter.model.TemplateOutput.Status;

/** Tells operators what became of a template output, when that is news. */
record OutputEvents(Events events) {

  /** It was applied or looked at, and its status will be this one. */
  void applied(Resource<Spec, Status> output, Templates.Applied applied, Status status) {
    var last = output.status().flatMap(Status::drift).filter(drift -> !drift.repaired());
    if (!applied.drifted().isEmpty()
        && last.filter(drift -> drift.files().equals(applied.drifted())).isEmpty()) {
      tell(output, Event.Type.WARNING, Reason.DRIFTED, OutputStatus.paths(applied.drifted()));
    }
    if (!applied.overruled().isEmpty()) {
      tell(
          output,
          Event.Type.WARNING,
          Reason.GUARD_OVERRULED,
          "an operator allowed what was held: " + String.join("; ", applied.overruled()));
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
      tell(
          output,
          Event.Type.NORMAL,
          Reason.REPAIRED,
          OutputStatus.paths(applied.drifted()) + ": put back");
    } else {
      var pin = OutputStatus.pin(output);
      tell(
          output,
          Event.Type.NORMAL,
          pin.isPresent() ? Reason.ROLLED_BACK : Reason.RENDERED,
          pin.map(id -> "release " + id + ": ").orElse("") + places);
    }
  }

  /** It could not be applied, and its status will be this one. */
  void failed(Resource<Spec, Status> output, Templates.Failed failure, String why, Status status) {
    if (!output.status().map(Status::conditions).equals(Optional.of(status.conditions()))) {
      boolean patient = failure.why() == Templates.Failed.Why.WAITING;
      tell(output, patient ? Event.Type.NORMAL : Event.Type.WARNING, failure.why().reason(), why);
    }
  }

  private void tell(Resource<Spec, Status> output, Event.Type type, Reason reason, String message) {
    events.report(TemplateReconciler.NAME, output.key(), type, reason, message);
  }
}
