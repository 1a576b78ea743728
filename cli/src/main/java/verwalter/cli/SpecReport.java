package verwalter.cli;

import java.util.ArrayList;
import java.util.List;
import verwalter.scheduler.lua.spec.Spec;

/** Reports the result of each spec, as lines for people. */
class SpecReport {
  private final Session session;
  private final List<String> problems = new ArrayList<>();
  private int good;
  private int pending;

  SpecReport(Session session) {
    this.session = session;
  }

  void ran(Spec spec, Spec.Result result) {
    if (result.failure().isEmpty()) {
      good++;
      session.say("ok       " + spec.name());
    } else {
      var text = text(spec, result);
      problems.add(text);
      session.println("FAILED   " + spec.name());
      session.print(text);
    }
  }

  void pending(Spec spec) {
    pending++;
    session.say("pending  " + spec.name());
  }

  void unreadable(String path, String message, String trace) {
    problems.add(path);
    session.println("FAILED   " + path + " cannot be read");
    session.print(indented(message + "\n" + trace));
  }

  /** Prints the summary; returns whether all specs passed. */
  boolean end() {
    session.println(
        "%d passed, %d failed%s"
            .formatted(good, problems.size(), pending == 0 ? "" : ", " + pending + " pending"));
    return problems.isEmpty();
  }

  private static String text(Spec spec, Spec.Result result) {
    var failure = result.failure().orElseThrow();
    var text = new StringBuilder();
    var place = failure.place().orElse(spec.place()) + ": ";
    var message = failure.message();
    boolean knows = message.startsWith(place) || message.startsWith("spec/");
    text.append(knows ? "" : place).append(message).append('\n');
    if (failure.differences().isEmpty()) {
      failure.expected().ifPresent(it -> text.append("  expected  ").append(it).append('\n'));
      failure.actual().ifPresent(it -> text.append("  actual    ").append(it).append('\n'));
    }
    for (var each : failure.differences()) {
      text.append("  - ").append(each.path()).append(" = ").append(each.expected()).append('\n');
      text.append("  + ").append(each.path()).append(" = ").append(each.actual()).append('\n');
    }
    if (!failure.trace().isBlank()) {
      text.append(failure.trace().stripTrailing()).append('\n');
    }
    if (!result.output().isBlank()) {
      text.append("printed:\n").append(result.output().stripTrailing()).append('\n');
    }
    return indented(text.toString());
  }

  private static String indented(String text) {
    return text.strip().indent(9);
  }
}
