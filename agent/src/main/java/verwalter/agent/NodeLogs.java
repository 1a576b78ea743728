package verwalter.agent;

import java.io.IOException;
import java.util.List;
import verwalter.supervisor.Supervisor;
import verwalter.supervisor.embedded.EmbeddedSupervisor;
import verwalter.supervisor.embedded.LogLine;
import verwalter.supervisor.embedded.LogQuery;
import verwalter.supervisor.embedded.LogSession;
import verwalter.ui.port.ProcessLogs;

/** The logs that the supervisor of this node keeps. */
record NodeLogs(EmbeddedSupervisor supervisor) implements ProcessLogs {
  /** The logs of a supervisor; none for a dry run. */
  static ProcessLogs of(Supervisor supervisor) {
    return supervisor instanceof EmbeddedSupervisor embedded
        ? new NodeLogs(embedded)
        : ProcessLogs.NONE;
  }

  @Override
  public Reading open(Query query) {
    return new Session(
        supervisor.logs(
            new LogQuery(
                query.group(),
                query.process(),
                query.index(),
                query.tail(),
                query.since(),
                query.previous(),
                query.removed())));
  }

  private record Session(LogSession session) implements Reading {
    @Override
    public boolean refresh() throws IOException {
      return session.refresh();
    }

    @Override
    public List<Line> next() throws IOException {
      return lines(session.next());
    }

    @Override
    public List<Line> rest() throws IOException {
      return lines(session.rest());
    }

    private static List<Line> lines(List<LogLine> lines) {
      return lines.stream()
          .map(line -> new Line(line.time(), line.process(), line.text()))
          .toList();
    }
  }
}
