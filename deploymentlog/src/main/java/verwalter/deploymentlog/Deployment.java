package verwalter.deploymentlog;

import java.util.List;

/**
 * An application of a schedule on this node: all renderings from its start until there is none for
 * a while.
 *
 * @param id unique id
 * @param schedule hash of the schedule
 * @param fresh whether the schedule is new to this node since its start
 * @param changes changes that the scheduler reports
 */
public record Deployment(String id, String schedule, boolean fresh, List<String> changes) {
  public Deployment {
    changes = List.copyOf(changes);
  }
}
