package verwalter.scheduler.lua;

/** Makes the threads that Lua programs run on. */
@FunctionalInterface
public interface ProgramThreads {
  /**
   * A new daemon thread that has not been started.
   *
   * @param name what it is called in a thread dump
   * @param stackBytes the size of its stack; Lua calls nest on it
   */
  Thread thread(Runnable task, String name, long stackBytes);
}
