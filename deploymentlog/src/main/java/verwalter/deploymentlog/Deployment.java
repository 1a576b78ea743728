package verwalter.deploymentlog;

import java.util.List;

/**
 * One application of a schedule on this node: everything that is rendered between its start and the
 * moment when nothing has been rendered for a while.
 *
 * @param id never used twice
 * @param schedule hash of the schedule
 * @param fresh whether this node sees that schedule for the first time since it was started
 * @param changes what the scheduler says is different in it
 */
public record Deployment(String id, String schedule, boolean fresh, List<String> changes) {
  public Deployment {
    changes = List.copyOf(changes);
  }
}
