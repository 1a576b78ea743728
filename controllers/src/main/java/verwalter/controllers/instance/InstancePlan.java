package verwalter.controllers.instance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import verwalter.model.FailedVersion;
import verwalter.model.ProcessGroup;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.RoleInstance.Phase;
import verwalter.model.TemplateOutput;
import verwalter.model.service.ServiceReleases;
import verwalter.stores.api.Write;

/** Computes the writes that bring an instance's children to what its spec asks for. Pure. */
final class InstancePlan {

  /**
   * The templates to render: those in place until a replacement switches them, and none before the
   * first release is complete.
   */
  static Optional<TemplateOutput.Spec> output(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance, Children children) {
    var spec = instance.spec();
    var phase =
        instance
            .status()
            .flatMap(RoleInstance.Status::replacement)
            .map(RoleInstance.Replacement::phase);
    var present = children.output().map(Resource::spec);
    var next = next(instance, children);
    if (present.isPresent() && phase.filter(it -> it.compareTo(Phase.SWITCH) < 0).isPresent()) {
      return Optional.of(present.get().withNext(next));
    }
    if (phase.isEmpty() && keepsFiles(instance, children)) {
      return present;
    }
    if (StagedChanges.of(instance, children).isPresent()) {
      return present.map(it -> it.withNext(next)); // they are checked, and wait
    }
    return next.map(
            it ->
                new TemplateOutput.Spec(
                    spec.role(),
                    spec.node(),
                    it.template(),
                    it.variables(),
                    it.release(),
                    Optional.empty()))
        .or(() -> present);
  }

  /**
   * Whether the instance may not start, so that it has no files yet, or those of the version that
   * runs. While the start of a version is only delayed, its files are rendered.
   */
  private static boolean keepsFiles(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance, Children children) {
    return StartGate.isClosed(instance)
        && (children.output().isPresent()
            ? new PendingStart(instance, children).keepsFiles()
            : !StartGate.isClosed(instance, Reason.START_DELAYED));
  }

  /** What the instance is brought to; empty while the releases of its spec are not complete. */
  static Optional<TemplateOutput.Next> next(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance, Children children) {
    var failed = Goal.failed(instance);
    if (failed.isPresent()) {
      return failed.map(FailedVersion::former);
    }
    var spec = instance.spec();
    if (spec.release().isEmpty()) {
      return children
          .releases()
          .places(spec, children.usedPlaces())
          .map(
              places ->
                  new TemplateOutput.Next(
                      spec.template(),
                      ServiceReleases.in(spec.variables(), places),
                      Optional.empty()));
    }
    var used =
        children
            .output()
            .map(Resource::spec)
            .flatMap(TemplateOutput.Spec::release)
            .filter(it -> Optional.of(it.ref()).equals(ReleaseRefs.target(spec)))
            .filter(it -> !preparesDown(instance));
    return children
        .releases()
        .ready(spec)
        .or(() -> used) // its files may be missing for a moment
        .map(
            release ->
                new TemplateOutput.Next(spec.template(), spec.variables(), Optional.of(release)));
  }

  /**
   * The writes for an instance that is not deleted. A group is removed only after a successful
   * rendering without it. Children have no owner: they must not end because an instance is missing.
   */
  static List<Write> keep(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance, Children children) {
    var writes = new ArrayList<Write>();
    boolean settled =
        children.rendered(instance) && children.areHandedOver(instance) && !children.isStopping();
    writes.addAll(
        children
            .releases()
            .writes(instance, children.usedRelease(), children.usedPlaces(), settled));
    var wanted = output(instance, children);
    if (wanted.isEmpty()) {
      return writes; // the release is being prepared
    }
    if (children.output().isEmpty()) {
      writes.add(put(instance, Resource.of(TemplateOutput.KIND, instance.name(), wanted.get())));
    } else {
      change(children.output().get(), wanted.get(), writes);
    }
    var taken = children.foreign().stream().map(group -> group.spec().sandbox()).toList();
    var missing = new TreeMap<String, ProcessGroup.Spec>();
    for (var file : children.processFiles(instance)) {
      if (!taken.contains(file.sandbox())) {
        missing.put(file.sandbox(), group(instance.spec(), file));
      }
    }
    for (var group : children.groups()) {
      var spec = missing.remove(group.spec().sandbox());
      if (group.meta().deleting()) {
        continue; // must be removed before it can be created again
      }
      if (stops(instance) && Children.refusesToStop(group)) {
        writes.add(new Write.Remove(group));
      } else if (spec != null) {
        change(group, spec, writes);
      } else if (children.rendered(instance)) {
        writes.add(new Write.Remove(group));
      } else if (stops(instance)) {
        change(group, stopped(group.spec()), writes);
      }
    }
    if (StartGate.isClosed(instance) && children.desired() == 0) {
      return writes; // a group that vanished may have processes, and must not stop them
    }
    missing.forEach(
        (sandbox, spec) ->
            writes.add(
                put(
                    instance,
                    Resource.of(
                        ProcessGroup.KIND, ProcessGroup.name(sandbox, spec.node()), spec))));
    return writes;
  }

  /**
   * The writes for a deleted instance: processes are removed first, files after the last process,
   * and releases at last.
   */
  static List<Write> release(Children children) {
    if (!children.groups().isEmpty()) {
      return children.groups().stream()
          .filter(group -> !group.meta().deleting())
          .<Write>map(Write.Remove::new)
          .toList();
    }
    if (children.output().isPresent()) {
      return children.output().stream()
          .filter(output -> !output.meta().deleting())
          .<Write>map(Write.Remove::new)
          .toList();
    }
    return children.releases().release();
  }

  /** Changes a child to a spec. Version 0.1.0 gave children an owner. */
  private static <S, T> void change(Resource<S, T> child, S wanted, List<Write> writes) {
    boolean owned = !child.meta().owners().isEmpty();
    if (owned || !child.spec().equals(wanted)) {
      writes.add(
          new Write.Put(child.withMeta(child.meta().withOwners(List.of())).withSpec(wanted)));
    }
  }

  /** Whether a replacement of the release needs all processes to be stopped. */
  static boolean stops(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    return instance
        .status()
        .flatMap(RoleInstance.Status::replacement)
        .filter(RoleInstance.Replacement::stops)
        .isPresent();
  }

  /** Whether a release is prepared after it was removed to unpack another one. */
  private static boolean preparesDown(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    return instance
        .status()
        .flatMap(RoleInstance.Status::replacement)
        .filter(RoleInstance.Replacement::preparesDown)
        .isPresent();
  }

  private static ProcessGroup.Spec stopped(ProcessGroup.Spec group) {
    return new ProcessGroup.Spec(
        group.role(), group.node(), group.sandbox(), Children.stopped(group.processes()));
  }

  private static ProcessGroup.Spec group(
      RoleInstance.Spec instance, TemplateOutput.ProcessFile file) {
    return new ProcessGroup.Spec(
        instance.role(), instance.node(), file.sandbox(), file.processes());
  }

  private static <S, T> Write put(
      Resource<RoleInstance.Spec, RoleInstance.Status> owner, Resource<S, T> made) {
    var labels = Map.of("role", owner.spec().role(), "node", owner.spec().node());
    var finalizer =
        made.type().equals(ProcessGroup.KIND) ? ProcessGroup.FINALIZER : TemplateOutput.FINALIZER;
    return new Write.Put(
        made.withMeta(made.meta().withLabels(labels).withFinalizers(List.of(finalizer))));
  }

  private InstancePlan() {}
}
