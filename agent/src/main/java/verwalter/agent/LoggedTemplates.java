package verwalter.agent;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import verwalter.controllers.template.Templates;
import verwalter.deploymentlog.Deployments;
import verwalter.model.TemplateOutput;
import verwalter.render.LogPiece;

/** Templates that log each application in its deployment, and guard it with an alarm. */
final class LoggedTemplates implements Templates {
  private final Templates templates;
  private final Deployments deployments;
  private final Alarms alarms;

  LoggedTemplates(Templates templates, Deployments deployments, Alarms alarms) {
    this.templates = templates;
    this.deployments = deployments;
    this.alarms = alarms;
  }

  @Override
  public Applied apply(Wanted wanted, Before before) throws Failed {
    deployments.beginRole(wanted.deployment(), wanted.role(), shown(wanted.variables()));
    var log = List.of(LogPiece.ofRun("ERROR: failed unexpectedly; see the log of the agent\n"));
    try {
      var applied = during(wanted, () -> templates.apply(wanted, before));
      log = success(applied);
      return applied;
    } catch (Failed failure) {
      var what = failure.why() == Failed.Why.MACHINE ? "apply" : "render";
      log =
          LogPiece.and(
              failure.log(), "ERROR: Can't %s templates: %s\n".formatted(what, indented(failure)));
      throw failure;
    } finally {
      deployments.endRole(wanted.deployment(), wanted.role(), log);
    }
  }

  /** Logged only if files were restored, since a check is not a deployment. */
  @Override
  public Applied check(Wanted wanted, Before before) throws Failed {
    var applied = during(wanted, () -> templates.check(wanted, before));
    if (applied.changed()) {
      deployments.beginRole(wanted.deployment(), wanted.role(), shown(wanted.variables()));
      deployments.endRole(wanted.deployment(), wanted.role(), success(applied));
    }
    return applied;
  }

  /** Not logged, since nothing is deployed; the instance's reason and its event have the error. */
  @Override
  public void prepare(Wanted wanted, Before before) throws Failed {
    alarms.<Boolean, Failed>during(
        Alarm.APPLY,
        wanted.role(),
        () -> {
          templates.prepare(wanted, before);
          return true;
        });
  }

  private Applied during(Wanted wanted, Alarms.Work<Applied, Failed> work) throws Failed {
    return alarms.during(Alarm.APPLY, wanted.role(), work);
  }

  private static List<LogPiece> success(Applied applied) {
    return LogPiece.and(applied.log(), "Rendered successfully\n");
  }

  /** The variables without the schedule, which is in a separate file. */
  private static Map<String, Object> shown(Map<String, Object> variables) {
    var shown = new LinkedHashMap<>(variables);
    shown.remove("full_schedule");
    return shown;
  }

  /** Indents all lines but the first, to distinguish them from lines of the log. */
  private static String indented(Failed failure) {
    return String.valueOf(failure.getMessage()).replace("\n", "\n  ");
  }

  @Override
  public void move(String from, String to) throws Failed {
    templates.move(from, to);
  }

  @Override
  public void remove(String owner, List<TemplateOutput.File> files) throws Failed {
    alarms.<Boolean, Failed>during(
        Alarm.APPLY,
        owner,
        () -> {
          templates.remove(owner, files);
          return true;
        });
  }
}
