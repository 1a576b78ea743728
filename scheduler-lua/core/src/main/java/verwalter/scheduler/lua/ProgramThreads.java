package verwalter.scheduler.lua;

/** Creates the threads that Lua programs run on. */
@FunctionalInterface
public interface ProgramThreads {
  /**
   * A new daemon thread that has not been started.
   *
   * @param name the name of the thread
   * @param stackBytes the size of its stack, which limits the depth of Lua calls
   */
  Thread thread(Runnable task, String name, long stackBytes);
}
