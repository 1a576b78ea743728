package verwalter.supervisor.embedded;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import verwalter.model.ProcessSpec;
import verwalter.supervisor.lithos.Examiner;
import verwalter.supervisor.program.CommandExamination;
import verwalter.supervisor.program.Examined;
import verwalter.supervisor.program.Host;
import verwalter.supervisor.program.Launcher;

/**
 * Validates processes before they are started, both images and commands. Reads files, which may
 * change between two calls, and writes none. Thread-safe.
 */
final class ProcessExaminer {
  private final Host host;
  private final Examiner images;

  ProcessExaminer(Host host) {
    this.host = host;
    this.images = new Examiner(host);
  }

  /** The process file of the group. */
  Path processFile(String group) {
    return images.processFile(group);
  }

  /** All problems that prevent these processes from running. */
  List<String> problems(String group, Map<String, ProcessSpec> processes) {
    var problems = new ArrayList<String>();
    var ofImages = ofImages(processes);
    if (!ofImages.isEmpty() || processes.isEmpty()) {
      problems.addAll(images.problems(group, ofImages));
    }
    processes.forEach(
        (name, spec) ->
            spec.command()
                .ifPresent(
                    command ->
                        examine(group, name, spec, command)
                            .problems()
                            .forEach(each -> problems.add(name + ": " + each))));
    return problems;
  }

  /** Validates each process separately: an invalid one does not affect the others. */
  Map<String, Examined> examine(String group, Map<String, ProcessSpec> processes) {
    var result = new LinkedHashMap<String, Examined>(images.examine(group, ofImages(processes)));
    processes.forEach(
        (name, spec) ->
            spec.command()
                .ifPresent(command -> result.put(name, examine(group, name, spec, command))));
    return result;
  }

  private Examined examine(
      String group, String name, ProcessSpec spec, ProcessSpec.Command command) {
    if (!Examiner.isName(group) || !Examiner.isName(name)) {
      var problem = "names of groups and processes are 1 to 64 letters, digits, '_' and '-'";
      return new Examined(List.of(problem), List.of(), List.of());
    }
    return new CommandExamination(host, group, name, spec, command).result();
  }

  /** Validates a command that is started as instance {@code index} of a process. */
  Examined examine(String group, String name, int index, ProcessSpec.Command command) {
    var spec = ProcessSpec.ofCommand(ProcessSpec.Type.DAEMON, index + 1, command);
    return examine(group, name, spec, command);
  }

  private static Map<String, ProcessSpec> ofImages(Map<String, ProcessSpec> processes) {
    var some = new LinkedHashMap<>(processes);
    some.values().removeIf(spec -> spec.command().isPresent());
    return some;
  }

  /** The words before a command line that give it the user and the rights of a command. */
  List<String> launcher(ProcessSpec.Command command) {
    return Launcher.words(host, command);
  }
}
