package verwalter.controllers.template;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import verwalter.model.ProcessSpec;
import verwalter.model.TemplateOutput;
import verwalter.model.codec.Codec;
import verwalter.model.json.Json;
import verwalter.model.service.ScheduledServices;
import verwalter.model.service.ServiceReleases;
import verwalter.render.LogPiece;

/**
 * Templates of two kinds of role: a service that one file describes has no templates, and its
 * processes are made of the file's commands. All others are rendered.
 */
public final class ServiceTemplates implements Templates {
  private final Templates others;
  private final Accounts accounts;
  private final Check check;
  private final Passage passage;

  /** Validates processes before they replace others. */
  @FunctionalInterface
  public interface Check {
    /** Returns all problems that prevent these processes from running. */
    List<String> problems(String group, Map<String, ProcessSpec> processes);
  }

  /**
   * @param others renders the roles that are no services
   * @param passage to the releases of services
   */
  public ServiceTemplates(Templates others, Accounts accounts, Check check, Passage passage) {
    this.others = others;
    this.accounts = accounts;
    this.check = check;
    this.passage = passage;
  }

  private static boolean isService(Wanted wanted) {
    return ScheduledServices.isService(wanted.variables());
  }

  @Override
  public Applied apply(Wanted wanted, Before before) throws Failed {
    if (!isService(wanted)) {
      return others.apply(wanted, before);
    }
    var file = processes(wanted);
    if (!before.files().isEmpty()) {
      // The role had templates before.
      others.remove(wanted.owner(), before.files());
    }
    var digest = Json.hash(Codec.partJson(file));
    boolean changed = !digest.equals(before.digest());
    var log =
        LogPiece.ofRun(
            "%d processes of the service %s\n".formatted(file.processes().size(), wanted.role()));
    return Applied.of(
        digest, List.of(), List.of(file), false, changed, changed ? List.of(log) : List.of());
  }

  @Override
  public Applied check(Wanted wanted, Before before) throws Failed {
    return isService(wanted) ? apply(wanted, before) : others.check(wanted, before);
  }

  @Override
  public void prepare(Wanted wanted, Before before) throws Failed {
    if (isService(wanted)) {
      processes(wanted);
    } else {
      others.prepare(wanted, before);
    }
  }

  private TemplateOutput.ProcessFile processes(Wanted wanted) throws Failed {
    var file = new ServiceProcesses(accounts, wanted.role(), wanted.variables()).file();
    for (var release : ServiceReleases.of(wanted.variables()).values()) {
      open(Path.of(release.path()), file);
    }
    var problems = check.problems(file.sandbox(), file.processes());
    if (!problems.isEmpty()) {
      throw new Failed(String.join("\n", problems), false); // a program may be installed later
    }
    return file;
  }

  /** Lets the users of all processes reach a path. */
  private void open(Path path, TemplateOutput.ProcessFile file) throws Failed {
    try {
      for (var process : file.processes().values()) {
        var command = process.command().orElseThrow();
        if (command.user().isPresent()) {
          passage.open(path, new Accounts.Account(command.user().get(), command.groups()));
        }
      }
    } catch (IOException unreachable) {
      throw new Failed(String.valueOf(unreachable.getMessage()), false);
    }
  }

  @Override
  public void remove(String owner, List<TemplateOutput.File> files) throws Failed {
    others.remove(owner, files);
  }

  @Override
  public void move(String from, String to) throws Failed {
    others.move(from, to);
  }
}
