package verwalter.concurrent.testkit;

import java.util.ArrayDeque;

/** The due tasks of one loop, in order. Guarded by its {@link Agenda}. */
final class Lane {
  private final String name;
  final ArrayDeque<Agenda.Task> due = new ArrayDeque<>();

  /** The index among the lanes with due tasks; -1 if the lane has none. */
  int place = -1;

  boolean dead;

  Lane(String name) {
    this.name = name;
  }

  String name() {
    return name;
  }
}
