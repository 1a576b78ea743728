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

/** The templates in the configuration directory of this machine, applied to its disk. */
public final class RoleTemplates implements Templates {
  private static final Logger LOG = LoggerFactory.getLogger(RoleTemplates.class);

  private final TemplateSource source;
  private final Path state;
  private final Programs programs;
  private final ProcessFiles processFiles;
  private final Executor syncing;

  /**
   * Templates of a configuration directory.
   *
   * @param config the configuration directory
   * @param state where each role's own state is kept, one directory each
   * @param syncing as for {@link Application}; not with the threads that call this, which wait for
   *     it
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

  /** Before anything looks at the files, or a template that is wrong now lets them as they are. */
  private List<String> recover(String owner) throws Failed {
    try {
      var restored = application(owner).recover();
      if (!restored.isEmpty()) {
        LOG.warn("role={} put back after an unfinished run: {}", owner, restored);
      }
      return restored;
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
    // A circle is a mistake even while all that is in it is in place.
    if (obstacle.filter(it -> changes || it.cycle()).isPresent()) {
      throw Failed.needing(obstacle.get(), needs);
    }
    var drifted = drifted(wanted.owner(), before);
    if (!changes) {
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
  public Applied check(Wanted wanted, Before before) throws Failed {
    var restored = recover(wanted.owner());
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

  /** Nothing new is wanted: only what somebody else has changed may be put back. */
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

  /** What guards say and was allowed. */
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
        "templates/%s/%s; if that is right: vw rollout allow %s"
            .formatted(wanted.template(), String.join("; ", held.figures()), wanted.role()));
  }

  /** The release that should be in place whatever the templates say. */
  private Optional<Release> pinned(Wanted wanted) throws Failed {
    if (wanted.release().isEmpty()) {
      return Optional.empty();
    }
    try {
      var release = releases(wanted.owner()).of(wanted.release().get());
      if (release.isEmpty()) {
        throw new Failed(
            "there is no release %s; see: vw rollout history %s"
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

  /** What is in place, if it is on record. */
  private Optional<Release> like(String owner, Before before) {
    try {
      return before.digest().isEmpty() ? Optional.empty() : releases(owner).like(before.digest());
    } catch (IOException broken) {
      LOG.warn("role={} a release cannot be read: {}", owner, broken.getMessage());
      return Optional.empty();
    }
  }

  /** The files are in place already: what cannot be kept is said, and no failure. */
  private List<TemplateOutput.Release> kept(
      Wanted wanted, Before before, Rendered rendered, verwalter.render.apply.Applied applied) {
    var releases = releases(wanted.owner());
    try {
      releases
          .keep(wanted.deployment(), wanted.at(), rendered, applied.files())
          .ifPresent(why -> LOG.warn("role={} no release is kept: {}", wanted.owner(), why));
    } catch (IOException failure) {
      LOG.warn("role={} not every release is kept: {}", wanted.owner(), failure.toString());
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
      throw new Failed("cannot move what is kept of %s: %s".formatted(from, failure), false);
    }
  }

  private Releases releases(String owner) {
    return new Releases(state.resolve(owner));
  }

  private Application application(String owner) {
    return new Application(state.resolve(owner), programs, processFiles, syncing);
  }
}
