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
import verwalter.render.recipe.Renderer;

/**
 * Templates of two kinds of role: the processes of a service are made of the commands of its file,
 * and its templates have no recipes. All others are rendered.
 */
public final class ServiceTemplates implements Templates {
  private final Templates others;
  private final Accounts accounts;
  private final Path config;
  private final Check check;
  private final ServicePlace place;
  private final ServiceFiles files;

  /** Validates processes before they replace others. */
  @FunctionalInterface
  public interface Check {
    /** Returns all problems that prevent these processes from running. */
    List<String> problems(String group, Map<String, ProcessSpec> processes);
  }

  /**
   * @param others renders the roles that are no services
   * @param config the configuration directory of this node
   * @param place where the files of services are
   * @param renderer renders the templates of services
   */
  public ServiceTemplates(
      Templates others,
      Accounts accounts,
      Path config,
      Check check,
      ServicePlace place,
      Renderer renderer) {
    this.others = others;
    this.accounts = accounts;
    this.config = config;
    this.check = check;
    this.place = place;
    this.files = new ServiceFiles(place, renderer);
  }

  private static boolean isService(Wanted wanted) {
    return ScheduledServices.isService(wanted.variables());
  }

  @Override
  public Applied apply(Wanted wanted, Before before) throws Failed {
    if (!isService(wanted)) {
      var applied = others.apply(wanted, withoutOurs(before));
      files.remove(wanted.role(), before.files());
      return applied;
    }
    var contents = files.render(wanted);
    var file = processes(wanted);
    var former = files.others(before.files());
    if (!former.isEmpty()) {
      // The role had templates with recipes before.
      others.remove(wanted.owner(), former);
    }
    var written = files.write(wanted, contents, before);
    for (var directory : contents.keySet()) {
      open(directory, file);
    }
    var part = Codec.partJson(file);
    var digest =
        Json.hash(contents.isEmpty() ? part : List.of(part, List.copyOf(contents.values())));
    boolean changed = !digest.equals(before.digest());
    var log =
        LogPiece.ofRun(
            "%d processes and %d files of the service %s\n"
                .formatted(file.processes().size(), written.size(), wanted.role()));
    return Applied.of(
        digest, written, List.of(file), false, changed, changed ? List.of(log) : List.of());
  }

  private Before withoutOurs(Before before) {
    return new Before(
        before.digest(), files.others(before.files()), before.processes(), before.releases());
  }

  @Override
  public Applied check(Wanted wanted, Before before) throws Failed {
    return isService(wanted) ? apply(wanted, before) : others.check(wanted, withoutOurs(before));
  }

  @Override
  public void prepare(Wanted wanted, Before before) throws Failed {
    if (isService(wanted)) {
      files.render(wanted);
      processes(wanted);
    } else {
      others.prepare(wanted, withoutOurs(before));
    }
  }

  private TemplateOutput.ProcessFile processes(Wanted wanted) throws Failed {
    var file =
        new ServiceProcesses(
                accounts, config, wanted.role(), wanted.variables(), files.directories(wanted))
            .file();
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
          place.open(path, new Accounts.Account(command.user().get(), command.groups()));
        }
      }
    } catch (IOException unreachable) {
      throw new Failed(String.valueOf(unreachable.getMessage()), false);
    }
  }

  @Override
  public void remove(String owner, List<TemplateOutput.File> written) throws Failed {
    others.remove(owner, files.others(written));
    files.remove(owner.substring(0, Math.max(0, owner.lastIndexOf('@'))), written);
  }

  @Override
  public void move(String from, String to) throws Failed {
    others.move(from, to);
  }
}
