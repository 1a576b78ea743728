package verwalter.scheduler.lua.text;

/** The bytes that a pattern is matched against. */
public interface Subject {
  /** The number of bytes. */
  int length();

  /** A byte, 0 to 255. */
  int at(int index);
}
