package verwalter.controllers.config;

import java.util.Optional;
import verwalter.model.Configuration;

/** Which settings a cluster follows when the directory of its leader has others. */
public enum SettingsAuthority {
  /** The settings in force, until an operator accepts others or the leader's directory changes. */
  CLUSTER,
  /** The settings of the leader, as in verwalter 0.13. */
  LEADER;

  /**
   * Whether a leader takes the settings of its own directory.
   *
   * @param own the hash of the settings of its directory
   * @param held the hash that was refused before in its term, or at the beginning of it
   */
  boolean takes(
      String own,
      String held,
      Optional<Configuration.Status> inForce,
      Optional<Configuration.Accepted> accepted) {
    var present = inForce.map(Configuration.Status::settings).orElse("");
    return this == LEADER
        || present.isEmpty()
        || own.equals(present)
        || !own.equals(held)
        || accepted
            .filter(it -> it.settings().equals(own) && it.instead().equals(present))
            .isPresent();
  }
}
