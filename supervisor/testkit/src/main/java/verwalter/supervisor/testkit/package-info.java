/**
 * The contract tests of supervisors, and a supervisor without processes for simulations: {@link
 * verwalter.supervisor.testkit.FakeMachine} outlives an agent, {@link
 * verwalter.supervisor.testkit.FakeSupervisor} ends with it.
 */
@NullMarked
package verwalter.supervisor.testkit;

import org.jspecify.annotations.NullMarked;
