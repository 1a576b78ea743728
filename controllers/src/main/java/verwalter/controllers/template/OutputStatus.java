package verwalter.controllers.template;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.TemplateOutput;
import verwalter.model.TemplateOutput.Spec;
import verwalter.model.TemplateOutput.Status;

/** Computes the status of a template output after an attempt. Pure. */
final class OutputStatus {
  private OutputStatus() {}

  /** The pinned release, if there is one. */
  static Optional<String> pin(Resource<Spec, Status> output) {
    return Optional.ofNullable(output.meta().annotations().get(TemplateOutput.PIN))
        .filter(id -> !id.isEmpty());
  }

  /** The held rendering that is allowed, if there is one. */
  static Optional<String> allowed(Resource<Spec, Status> output) {
    return Optional.ofNullable(output.meta().annotations().get(TemplateOutput.ALLOW));
  }

  static Status succeeded(
      Resource<Spec, Status> output, Templates.Applied applied, String deployment, Instant now) {
    var before = output.status();
    var drift = drift(before.flatMap(Status::drift), applied, now);
    return new Status(
        output.meta().generation(),
        applied.changed() ? Optional.of(deployment) : before.flatMap(Status::deployment),
        applied.digest(),
        applied.files(),
        applied.processes(),
        applied.releases(),
        Optional.empty(),
        drift,
        conditions(rendered(output, now), output, drift, now));
  }

  /** The status after a check of the files. The condition Rendered does not change. */
  static Status checked(
      Resource<Spec, Status> output, Templates.Applied applied, String deployment, Instant now) {
    var before = output.status();
    var drift = drift(before.flatMap(Status::drift), applied, now);
    return new Status(
        before.map(Status::observedGeneration).orElse(output.meta().generation()),
        applied.changed() ? Optional.of(deployment) : before.flatMap(Status::deployment),
        applied.digest(),
        applied.files(),
        applied.processes(),
        applied.releases(),
        before.flatMap(Status::held),
        drift,
        conditions(before(output), output, drift, now));
  }

  /**
   * The drift to report. A repaired drift is reported until the next application, any other until
   * it is gone.
   */
  private static Optional<TemplateOutput.Drift> drift(
      Optional<TemplateOutput.Drift> last, Templates.Applied applied, Instant now) {
    if (applied.drifted().isEmpty()) {
      return applied.changed() ? Optional.empty() : last.filter(TemplateOutput.Drift::repaired);
    }
    var noticed =
        last.filter(drift -> !drift.repaired()).map(TemplateOutput.Drift::noticed).orElse(now);
    return Optional.of(new TemplateOutput.Drift(noticed, applied.repaired(), applied.drifted()));
  }

  private static List<Condition> rendered(Resource<Spec, Status> output, Instant now) {
    long of = output.meta().generation();
    return Condition.put(
        before(output),
        pin(output)
            .map(
                id ->
                    Condition.ofTrue(
                        ConditionType.RENDERED,
                        Reason.ROLLED_BACK,
                        "release %s is pinned and changes of templates are not applied until: %s"
                            .formatted(id, command("resume", output)),
                        of,
                        now))
            .orElseGet(
                () -> Condition.ofTrue(ConditionType.RENDERED, Reason.IN_PLACE, "", of, now)));
  }

  private static List<Condition> conditions(
      List<Condition> conditions,
      Resource<Spec, Status> output,
      Optional<TemplateOutput.Drift> drift,
      Instant now) {
    long of = output.meta().generation();
    var open = drift.filter(it -> !it.repaired());
    return Condition.put(
        conditions,
        open.map(
                it ->
                    Condition.ofFalse(
                        ConditionType.AS_WRITTEN, Reason.DRIFTED, paths(it.files()), of, now))
            .orElseGet(
                () -> Condition.ofTrue(ConditionType.AS_WRITTEN, Reason.AS_WRITTEN, "", of, now)));
  }

  /** Each file with its difference, shortened. */
  static String paths(List<TemplateOutput.Changed> files) {
    var first = files.get(0);
    return first.path()
        + " "
        + first.what()
        + (files.size() > 1 ? ", and %d more".formatted(files.size() - 1) : "");
  }

  /**
   * The status after the next files were checked.
   *
   * @param failure why they cannot be put in place; empty if they can
   */
  static Status prepared(
      Resource<Spec, Status> output,
      Status before,
      Optional<Templates.Failed> failure,
      Instant now) {
    long of = output.meta().generation();
    var condition =
        failure
            .map(
                it ->
                    Condition.ofFalse(
                        ConditionType.CHECKED,
                        it.why().reason(),
                        String.valueOf(it.getMessage()),
                        of,
                        now))
            .orElseGet(() -> Condition.ofTrue(ConditionType.CHECKED, Reason.CHECKED, "", of, now));
    return new Status(
        before.observedGeneration(),
        before.deployment(),
        before.input(),
        before.files(),
        before.processes(),
        before.releases(),
        failure.flatMap(Templates.Failed::held),
        before.drift(),
        Condition.put(before.conditions(), condition));
  }

  static Status failed(
      Resource<Spec, Status> output, Templates.Failed failure, String why, Instant now) {
    var before = output.status();
    return new Status(
        output.meta().generation(),
        before.flatMap(Status::deployment),
        before.map(Status::input).orElse(""),
        before.map(Status::files).orElseGet(List::of),
        before.map(Status::processes).orElseGet(List::of),
        before.map(Status::releases).orElseGet(List::of),
        failure.held(),
        before.flatMap(Status::drift),
        Condition.put(
            before(output),
            Condition.ofFalse(
                ConditionType.RENDERED,
                failure.why().reason(),
                why,
                output.meta().generation(),
                now)));
  }

  /** A command of an operator for this output. */
  static String command(String word, Resource<Spec, Status> output) {
    return "vw files %s %s --node %s".formatted(word, output.spec().role(), output.spec().node());
  }

  /** The last conditions. The one about the next files ends with them. */
  private static List<Condition> before(Resource<Spec, Status> output) {
    return output.status().map(Status::conditions).orElseGet(List::of).stream()
        .filter(it -> output.spec().next().isPresent() || !it.is(ConditionType.CHECKED))
        .toList();
  }
}
