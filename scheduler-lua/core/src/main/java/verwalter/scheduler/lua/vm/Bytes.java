package verwalter.scheduler.lua.vm;

import verwalter.scheduler.lua.text.Subject;

/** A string as the bytes that a pattern is matched against. */
record Bytes(String text) implements Subject {
  @Override
  public int length() {
    return text.length();
  }

  @Override
  public int at(int index) {
    return text.charAt(index);
  }
}
