package verwalter.ui.table;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import verwalter.model.Artifact;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.DeploymentRef;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.ui.table.Column.Form;
import verwalter.ui.table.Health.Tone;

/** The columns of deployment refs and of artifacts. */
final class DeploymentColumns {
  static final List<Column<Resource<DeploymentRef.Spec, DeploymentRef.Status>>> REFS =
      List.of(
          CommonColumns.name(),
          Column.of("Status", Form.STATE, "State of the release.", ref(it -> health(it))),
          Column.of(
              "Progress",
              Form.NUMBER,
              "Part of the archive that is downloaded or unpacked.",
              ref(it -> it.percent().map(percent -> percent + "%").orElse(null))),
          Column.of("Role", Form.TEXT, "Role that needs it.", ref -> ref.spec().role()),
          Column.of("Version", Form.TEXT, "Version of the role.", ref -> ref.spec().version()),
          CommonColumns.age(),
          Column.wide("Node", Form.TEXT, "Node it is for.", ref -> ref.spec().node()),
          Column.wide("Bytes", Form.NUMBER, "Bytes that are done.", ref(it -> it.bytesDone())),
          Column.wide(
              "Digest",
              Form.HASH,
              "Beginning of the digest of the archive.",
              ref(it -> it.resolvedDigest().map(DeploymentColumns::digest).orElse(null))),
          Column.wide(
              "Reason",
              Form.PROSE,
              "The last error, or what it waits for.",
              ref(it -> it.reason().isEmpty() ? null : it.reason())));

  static final List<Column<Resource<Artifact.Spec, Artifact.Status>>> ARTIFACTS =
      List.of(
          CommonColumns.name(),
          Column.of("Status", Form.STATE, "State of the archive.", artifact(it -> health(it))),
          Column.of(
              "Progress",
              Form.NUMBER,
              "Part of the archive that has arrived.",
              artifact(it -> percent(it))),
          Column.of(
              "Users",
              Form.NUMBER,
              "Number of refs that need it.",
              artifact(it -> it.users().size())),
          CommonColumns.age(),
          Column.wide("Node", Form.TEXT, "Node it is on.", it -> it.spec().node()),
          Column.wide(
              "Size", Form.NUMBER, "Bytes of the archive.", artifact(it -> it.size().orElse(null))),
          Column.wide(
              "Reason",
              Form.PROSE,
              "The last error.",
              artifact(it -> it.reason().isEmpty() ? null : it.reason())));

  private static Function<Resource<DeploymentRef.Spec, DeploymentRef.Status>, @Nullable Object> ref(
      Function<DeploymentRef.Status, @Nullable Object> value) {
    return ref -> ref.status().map(value).orElse(null);
  }

  private static Function<Resource<Artifact.Spec, Artifact.Status>, @Nullable Object> artifact(
      Function<Artifact.Status, @Nullable Object> value) {
    return artifact -> artifact.status().map(value).orElse(null);
  }

  private static Health health(DeploymentRef.Status status) {
    return new Health(tone(status), word(status.state()));
  }

  /** An error that goes away by itself is a warning. */
  private static Tone tone(DeploymentRef.Status status) {
    var prepared = Condition.find(status.conditions(), ConditionType.PREPARED);
    if (prepared.filter(Condition::isTrue).isPresent()) {
      return Tone.GOOD;
    }
    boolean fails =
        prepared.filter(it -> it.isFalse() && !it.hasReason(Reason.PREPARING)).isPresent();
    if (!fails) {
      return Tone.BUSY;
    }
    return status.nextRetry().isPresent() ? Tone.WARN : Tone.BAD;
  }

  private static Health health(Artifact.Status status) {
    var tone =
        status.state() == Artifact.State.VERIFIED
            ? Tone.GOOD
            : status.reason().isEmpty() ? Tone.BUSY : Tone.WARN;
    return new Health(tone, word(status.state()));
  }

  private static String word(Enum<?> state) {
    return state.name().charAt(0) + state.name().substring(1).toLowerCase(Locale.ROOT);
  }

  private static @Nullable String percent(Artifact.Status status) {
    return status
        .size()
        .filter(size -> size > 0)
        .map(size -> Math.min(100, (long) (100.0 * status.done() / size)) + "%")
        .orElse(null);
  }

  private static String digest(String text) {
    return CommonColumns.shortly(text.substring(text.indexOf(':') + 1));
  }

  private DeploymentColumns() {}
}
