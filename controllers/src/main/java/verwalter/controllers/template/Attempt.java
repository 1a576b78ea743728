package verwalter.controllers.template;

import java.util.Optional;

/**
 * What an attempt to apply a template output was made with: while all of that is the same, no other
 * attempt is needed.
 *
 * @param epoch how often the template files had changed
 * @param schedule hash of the whole schedule, if the templates may look at it
 * @param circle what is wrong with the needs of roles, as far as it concerns this one
 */
record Attempt(
    String uid,
    long generation,
    long epoch,
    Optional<String> schedule,
    Optional<String> release,
    Optional<String> allowed,
    Optional<String> circle) {

  /** The same for templates that do not look at the schedule. */
  Attempt ofRoleAlone() {
    return new Attempt(uid, generation, epoch, Optional.empty(), release, allowed, circle);
  }

  Attempt allowing(Optional<String> other) {
    return new Attempt(uid, generation, epoch, schedule, release, other, circle);
  }

  /** The same, of which that was said. */
  Attempt in(Optional<String> other) {
    return new Attempt(uid, generation, epoch, schedule, release, allowed, other);
  }
}
