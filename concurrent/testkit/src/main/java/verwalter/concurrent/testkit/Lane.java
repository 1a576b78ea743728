package verwalter.concurrent.testkit;

import java.util.ArrayDeque;

/** What one loop has to do now, in order. Guarded by the {@link Agenda} it is on. */
final class Lane {
  private final String name;
  final ArrayDeque<Agenda.Task> due = new ArrayDeque<>();

  /** Where it stands among the lanes that have something due; -1 when it has nothing. */
  int place = -1;

  boolean dead;

  Lane(String name) {
    this.name = name;
  }

  String name() {
    return name;
  }
}
