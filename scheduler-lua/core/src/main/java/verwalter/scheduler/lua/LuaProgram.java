package verwalter.scheduler.lua;

import verwalter.model.Scheduler;

/**
 * A loaded {@code main.lua} with its globals. Belongs to the thread that loaded it, which needs a
 * stack of {@link LuaScheduler#STACK} bytes.
 */
public interface LuaProgram extends Scheduler {}
