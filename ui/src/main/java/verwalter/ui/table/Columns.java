package verwalter.ui.table;

import static java.util.Map.entry;

import java.util.List;
import java.util.Map;
import verwalter.model.AccessRule;
import verwalter.model.AccessToken;
import verwalter.model.Action;
import verwalter.model.Artifact;
import verwalter.model.AuthorityChange;
import verwalter.model.ClusterConfig;
import verwalter.model.Configuration;
import verwalter.model.DeploymentRef;
import verwalter.model.Event;
import verwalter.model.JoinToken;
import verwalter.model.Kind;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.model.RoleInstance;
import verwalter.model.Rollout;
import verwalter.model.Schedule;
import verwalter.model.SchedulerCode;
import verwalter.model.TemplateOutput;

/** The columns of every kind. */
public final class Columns {
  private static final Map<Kind<?, ?>, List<? extends Column<?>>> ALL =
      Map.ofEntries(
          entry(Node.KIND, NodeColumns.ALL),
          entry(RoleConfig.KIND, RoleConfigColumns.ALL),
          entry(Rollout.KIND, RolloutColumns.ALL),
          entry(Configuration.KIND, ConfigurationColumns.CONFIGURATION),
          entry(SchedulerCode.KIND, ConfigurationColumns.CODE),
          entry(Schedule.KIND, ScheduleColumns.SCHEDULE),
          entry(NodeSchedule.KIND, ScheduleColumns.NODE_SCHEDULE),
          entry(RoleInstance.KIND, RoleInstanceColumns.ALL),
          entry(TemplateOutput.KIND, TemplateOutputColumns.ALL),
          entry(ProcessGroup.KIND, ProcessColumns.GROUP),
          entry(DeploymentRef.KIND, DeploymentColumns.REFS),
          entry(Artifact.KIND, DeploymentColumns.ARTIFACTS),
          entry(Action.KIND, ActionColumns.ALL),
          entry(Event.KIND, EventColumns.ALL),
          entry(JoinToken.KIND, JoinTokenColumns.ALL),
          entry(AuthorityChange.KIND, AuthorityChangeColumns.ALL),
          entry(ClusterConfig.KIND, ClusterConfigColumns.ALL),
          entry(AccessRule.KIND, AccessColumns.RULES),
          entry(AccessToken.KIND, AccessColumns.TOKENS));

  /** The columns of a kind; name and age if it defines none. */
  @SuppressWarnings("unchecked") // each kind is registered with columns for its own resources
  public static <S, T> List<Column<Resource<S, T>>> of(Kind<S, T> kind) {
    var columns = ALL.get(kind);
    return columns == null
        ? List.of(CommonColumns.name(), CommonColumns.age())
        : (List<Column<Resource<S, T>>>) (List<?>) columns;
  }

  /** The columns of single processes. */
  public static List<Column<ProcessRow>> ofProcesses() {
    return ProcessColumns.SLOT;
  }

  private Columns() {}
}
