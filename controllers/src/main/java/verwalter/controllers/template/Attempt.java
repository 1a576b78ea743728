package verwalter.controllers.template;

import java.util.Optional;

/**
 * The input of an attempt to apply a template output. While the input is unchanged, no other
 * attempt is needed.
 *
 * @param epoch the number of changes of the template files before the attempt
 * @param schedule hash of the whole schedule, if the templates may look at it
 * @param cycle the error about a cycle of needs that this role is part of
 */
record Attempt(
    String uid,
    long generation,
    long epoch,
    Optional<String> schedule,
    Optional<String> release,
    Optional<String> allowed,
    Optional<String> cycle) {

  /** The attempt for templates that do not read the schedule. */
  Attempt ofRoleAlone() {
    return new Attempt(uid, generation, epoch, Optional.empty(), release, allowed, cycle);
  }

  Attempt allowing(Optional<String> other) {
    return new Attempt(uid, generation, epoch, schedule, release, other, cycle);
  }

  /** Returns a copy with another message about a cycle. */
  Attempt in(Optional<String> other) {
    return new Attempt(uid, generation, epoch, schedule, release, allowed, other);
  }
}
