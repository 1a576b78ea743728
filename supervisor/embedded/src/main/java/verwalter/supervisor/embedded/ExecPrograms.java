package verwalter.supervisor.embedded;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.model.ProcessSpec;
import verwalter.supervisor.Supervisor;
import verwalter.supervisor.program.Examined;
import verwalter.supervisor.program.Program;

/** Finds the program of an {@link ExecRequest}. Reads files; thread-safe. */
record ExecPrograms(ProcessFileDirectory files, ProcessExaminer examiner) {
  /**
   * The program to start.
   *
   * @throws Supervisor.Refused if there is no such process, or the command cannot be started
   */
  Program find(ExecRequest request) {
    var content = files.read(request.group());
    var spec = content.map(it -> it.entries().get(request.process()));
    if (content.isEmpty() || spec.isEmpty()) {
      throw refused(
          request,
          content
              .map(ProcessFileDirectory.Content::problem)
              .filter(problem -> !problem.isEmpty())
              .orElse("there is no process \"%s\" here".formatted(request.process())));
    }
    boolean daemon = spec.get().kind() == ProcessSpec.Type.DAEMON;
    int instances = daemon ? spec.get().instances() : 1;
    if (request.index() >= instances) {
      throw refused(
          request,
          "%s has %d instances here, so there is no number %d"
              .formatted(request.process(), instances, request.index()));
    }
    if (request.arguments().isEmpty() && daemon) {
      throw refused(
          request,
          "%s is a Daemon, which the supervisor runs; give a command".formatted(request.process()));
    }
    var command = command(request, spec.get(), content.get());
    var wanted =
        request.arguments().isEmpty() ? command : command.withArguments(request.arguments());
    var examined = examiner.examine(request.group(), request.process(), request.index(), wanted);
    return program(request, examined, request.index());
  }

  /** The command of the process; that of an image is in its configuration. */
  private static ProcessSpec.Command command(
      ExecRequest request, ProcessSpec spec, ProcessFileDirectory.Content content) {
    return spec.command()
        .orElseGet(
            () -> {
              var found = content.examined().get(request.process());
              return ofImage(
                  program(
                      request,
                      found == null ? new Examined(List.of(), List.of(), List.of()) : found,
                      request.index()));
            });
  }

  private static ProcessSpec.Command ofImage(Program program) {
    var arguments = new ArrayList<String>();
    arguments.add(program.executable().toString());
    arguments.addAll(program.arguments());
    return new ProcessSpec.Command(
        arguments,
        Optional.empty(),
        List.of(),
        Optional.of(program.workdir().toString()),
        program.environ(),
        Map.of(),
        new ProcessSpec.Limits(
            Optional.empty(), Optional.empty(), Optional.of(Math.toIntExact(program.fileLimit()))),
        List.of(),
        Optional.empty(),
        program.umask());
  }

  private static Program program(ExecRequest request, Examined examined, int index) {
    if (examined.programs().size() <= index) {
      throw refused(request, String.join("; ", examined.problems()));
    }
    return examined.programs().get(index);
  }

  private static Supervisor.Refused refused(ExecRequest request, String why) {
    return new Supervisor.Refused(request.group(), List.of(why));
  }
}
