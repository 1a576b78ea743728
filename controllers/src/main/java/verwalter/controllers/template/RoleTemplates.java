package verwalter.controllers.template;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.model.TemplateOutput;
import verwalter.model.json.Json;
import verwalter.render.LogPiece;
import verwalter.render.apply.Application;
import verwalter.render.apply.ApplyFailed;
import verwalter.render.apply.ProcessFiles;
import verwalter.render.apply.Programs;
import verwalter.render.recipe.Rendered;
import verwalter.render.release.Drift;
import verwalter.render.release.Guards;
import verwalter.render.release.Release;
import verwalter.render.release.Releases;

/** Applies the templates of the configuration directory to the disk of this machine. */
public final class RoleTemplates implements Templates {
  private static final Logger LOG = LoggerFactory.getLogger(RoleTemplates.class);

  private final TemplateSource source;
  private final Path state;
  private final Programs programs;
  private final ProcessFiles processFiles;
  private final Executor syncing;

  /**
   * Creates templates of a configuration directory.
   *
   * @param config the configuration directory
   * @param state directory of the state of roles, one directory each
   * @param syncing as for {@link Application}; must not use the threads that call this object,
   *     since they wait for it
   */
  public RoleTemplates(
      Path config, Path state, Programs programs, ProcessFiles processFiles, Executor syncing) {
    this.source = new TemplateSource(config);
    this.state = state;
    this.programs = programs;
    this.processFiles = processFiles;
    this.syncing = syncing;
  }

  @Override
  public Applied apply(Wanted wanted, Before before) throws Failed {
    var restored = recover(wanted.owner());
    return applied(wanted, before).after(restored);
  }

  /**
   * Restores the files of an unfinished run. This happens before templates are read, so that a
   * broken template does not prevent it.
   */
  private List<String> recover(String owner) throws Failed {
    try {
      var restored = application(owner).recover();
      if (!restored.isEmpty()) {
        LOG.warn("role={} restored after an unfinished run or a power cut: {}", owner, restored);
      }
      return restored;
    } catch (ApplyFailed failure) {
      throw new Failed(String.valueOf(failure.getMessage()), false, failure.pieces());
    }
  }

  /** Syncs the files that were written last. Nobody waits for that, unlike for an application. */
  private void settle(String owner) throws Failed {
    try {
      application(owner).settle();
    } catch (ApplyFailed failure) {
      throw new Failed(String.valueOf(failure.getMessage()), false, failure.pieces());
    }
  }

  private Applied applied(Wanted wanted, Before before) throws Failed {
    var pinned = pinned(wanted);
    var rendered =
        pinned.isPresent()
            ? pinned.get().rendered()
            : source.render(wanted.template(), wanted.role(), wanted.variables());
    var needs = rendered.needs();
    boolean changes = !rendered.digest().equals(before.digest());
    var obstacle = wanted.obstacle(needs);
    // A cycle is an error even if all roles in it are applied.
    if (obstacle.filter(it -> changes || it.cycle()).isPresent()) {
      throw Failed.needing(obstacle.get(), needs);
    }
    var drifted = drifted(wanted.owner(), before);
    if (!changes) {
      settle(wanted.owner());
      return unchanged(wanted, before, rendered, drifted);
    }
    var overruled = pinned.isPresent() ? List.<String>of() : overruled(wanted, before, rendered);
    var applied = write(wanted, before, rendered, pinned);
    return new Applied(
        rendered.digest(),
        applied.files(),
        applied.processes(),
        pinned.isPresent() ? before.releases() : kept(wanted, before, rendered, applied),
        drifted,
        !drifted.isEmpty(),
        false,
        overruled,
        needs,
        rendered.ofSchedule(),
        true,
        applied.pieces());
  }

  @Override
  public void prepare(Wanted wanted, Before before) throws Failed {
    var rendered = source.render(wanted.template(), wanted.role(), wanted.variables());
    overruled(wanted, before, rendered);
    try {
      application(wanted.owner()).check(rendered);
    } catch (ApplyFailed failure) {
      throw new Failed(
          "templates/%s/%s".formatted(wanted.template(), failure.getMessage()),
          false,
          failure.pieces());
    }
  }

  @Override
  public Applied check(Wanted wanted, Before before) throws Failed {
    var restored = recover(wanted.owner());
    settle(wanted.owner());
    return checked(wanted, before).after(restored);
  }

  private Applied checked(Wanted wanted, Before before) throws Failed {
    var drifted = drifted(wanted.owner(), before);
    var release = drifted.isEmpty() ? Optional.<Release>empty() : like(wanted.owner(), before);
    if (drifted.isEmpty()) {
      return inPlace(before, drifted, List.of(), false, false);
    }
    return release.isPresent()
        ? unchanged(wanted, before, release.get().rendered(), drifted)
        : applied(wanted, before);
  }

  /** Handles a rendering equal to the last one: restores drifted files if that is allowed. */
  private Applied unchanged(
      Wanted wanted, Before before, Rendered rendered, List<TemplateOutput.Changed> drifted)
      throws Failed {
    if (drifted.isEmpty() || rendered.reportsDrift() || !wanted.repairs()) {
      return inPlace(
          before, drifted, rendered.needs(), rendered.ofSchedule(), rendered.reportsDrift());
    }
    var applied = write(wanted, before, rendered, like(wanted.owner(), before));
    return new Applied(
        rendered.digest(),
        applied.files(),
        applied.processes(),
        before.releases(),
        drifted,
        true,
        false,
        List.of(),
        rendered.needs(),
        rendered.ofSchedule(),
        true,
        applied.pieces());
  }

  private static Applied inPlace(
      Before before,
      List<TemplateOutput.Changed> drifted,
      List<String> needs,
      boolean ofSchedule,
      boolean reportsOnly) {
    return new Applied(
        before.digest(),
        before.files(),
        before.processes(),
        before.releases(),
        drifted,
        false,
        reportsOnly,
        List.of(),
        needs,
        ofSchedule,
        false,
        List.of(LogPiece.ofRun("nothing to do\n")));
  }

  private verwalter.render.apply.Applied write(
      Wanted wanted, Before before, Rendered rendered, Optional<Release> release) throws Failed {
    try {
      var application = application(wanted.owner());
      return release.isPresent()
          ? application.applyAgain(release.get(), before.files())
          : application.apply(rendered, before.files());
    } catch (ApplyFailed failure) {
      throw new Failed(
          "templates/%s/%s".formatted(wanted.template(), failure.getMessage()),
          false,
          failure.pieces());
    }
  }

  /** The messages of guards that were overruled. */
  private List<String> overruled(Wanted wanted, Before before, Rendered rendered) throws Failed {
    var guards = Guards.over(rendered, () -> like(wanted.owner(), before).map(Release::rendered));
    if (!guards.object()) {
      return List.of();
    }
    var held =
        new TemplateOutput.Held(
            Json.hash(wanted.input() + "\n" + guards.items()), guards.figures());
    if (wanted.allowed().equals(Optional.of(held.input()))) {
      return held.figures();
    }
    throw Failed.held(
        held,
        "templates/%s/%s; if this is intended: vw files allow %s"
            .formatted(wanted.template(), String.join("; ", held.figures()), wanted.role()));
  }

  /** The pinned release, if there is one. */
  private Optional<Release> pinned(Wanted wanted) throws Failed {
    if (wanted.release().isEmpty()) {
      return Optional.empty();
    }
    try {
      var release = releases(wanted.owner()).of(wanted.release().get());
      if (release.isEmpty()) {
        throw new Failed(
            "there is no release %s; see: vw files history %s"
                .formatted(wanted.release().get(), wanted.role()),
            true);
      }
      return release;
    } catch (IOException broken) {
      throw new Failed("the release cannot be brought back: " + broken.getMessage(), true);
    }
  }

  private List<TemplateOutput.Changed> drifted(String owner, Before before) {
    if (before.files().isEmpty() || Drift.of(before.files(), Optional.empty()).isEmpty()) {
      return List.of();
    }
    return Drift.of(before.files(), like(owner, before));
  }

  /** The release that is in place, if it is stored. */
  private Optional<Release> like(String owner, Before before) {
    try {
      return before.digest().isEmpty() ? Optional.empty() : releases(owner).like(before.digest());
    } catch (IOException broken) {
      LOG.warn("role={} a release cannot be read: {}", owner, broken.getMessage());
      return Optional.empty();
    }
  }

  /**
   * Stores the release. An error is logged and is not a failure, since the files are in place
   * already.
   */
  private List<TemplateOutput.Release> kept(
      Wanted wanted, Before before, Rendered rendered, verwalter.render.apply.Applied applied) {
    var releases = releases(wanted.owner());
    try {
      releases
          .keep(wanted.deployment(), wanted.at(), rendered, applied.files())
          .ifPresent(
              why -> LOG.warn("role={} the release cannot be stored: {}", wanted.owner(), why));
    } catch (IOException failure) {
      LOG.warn("role={} old releases cannot be removed: {}", wanted.owner(), failure.toString());
    }
    try {
      return releases.list();
    } catch (IOException failure) {
      LOG.warn("role={} the releases cannot be listed: {}", wanted.owner(), failure.toString());
      return before.releases();
    }
  }

  @Override
  public void remove(String owner, List<TemplateOutput.File> files) throws Failed {
    try {
      application(owner).remove(files);
      releases(owner).clear();
    } catch (ApplyFailed failure) {
      throw new Failed(String.valueOf(failure.getMessage()), false);
    } catch (IOException failure) {
      throw new Failed("cannot remove the releases of " + owner + ": " + failure, false);
    }
  }

  @Override
  public void move(String from, String to) throws Failed {
    var old = state.resolve(from);
    var kept = state.resolve(to);
    if (!Files.isDirectory(old) || Files.exists(kept)) {
      return;
    }
    try {
      Files.move(old, kept);
    } catch (IOException failure) {
      throw new Failed("cannot move the state of %s: %s".formatted(from, failure), false);
    }
  }

  private Releases releases(String owner) {
    return new Releases(state.resolve(owner));
  }

  private Application application(String owner) {
    return new Application(state.resolve(owner), programs, processFiles, syncing);
  }
}
