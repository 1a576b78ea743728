/**
 * A supervisor without processes, for simulations: {@link FakeMachine} is what outlives an agent,
 * {@link FakeSupervisor} what dies with it.
 */
@NullMarked
package verwalter.supervisor.testkit;

import org.jspecify.annotations.NullMarked;
