package verwalter.controllers.instance;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import verwalter.model.DeploymentRef;
import verwalter.model.FailedVersion;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.RoleInstance.Replacement;
import verwalter.model.TemplateOutput;
import verwalter.model.TemplateOutput.UsedRelease;
import verwalter.model.UpdatePolicy;
import verwalter.model.service.ScheduledServices;
import verwalter.model.service.ServiceReleases;
import verwalter.stores.api.Write;

/**
 * The releases of one instance. Pure.
 *
 * @param refs those of its role on its node
 */
record ReleaseRefs(List<Resource<DeploymentRef.Spec, DeploymentRef.Status>> refs) {
  /** The part of a role that its image is for. */
  private static final String SLOT = "main";

  ReleaseRefs {
    refs = List.copyOf(refs);
  }

  /** The release that the spec of an instance asks for. */
  static Optional<DeploymentRef.Spec> wanted(RoleInstance.Spec instance) {
    return instance
        .release()
        .map(
            release ->
                new DeploymentRef.Spec(
                    instance.role(),
                    instance.node(),
                    instance.version().orElse(""),
                    SLOT,
                    release.generation(),
                    instance.purgeCounter().orElse(0L),
                    release.image().source(),
                    release.image().digest(),
                    false));
  }

  /** The name of the release that the spec of an instance asks for. */
  static Optional<String> target(RoleInstance.Spec instance) {
    return wanted(instance).map(DeploymentRef::name);
  }

  /** The releases that the spec of a service asks for, by version; those may share one. */
  static Map<String, DeploymentRef.Spec> ofService(RoleInstance.Spec instance) {
    var wanted = new TreeMap<String, DeploymentRef.Spec>();
    ScheduledServices.images(instance.variables())
        .forEach(
            (version, image) ->
                wanted.put(
                    version,
                    new DeploymentRef.Spec(
                        instance.role(),
                        instance.node(),
                        ServiceReleases.name(image),
                        SLOT,
                        1,
                        instance.purgeCounter().orElse(0L),
                        image.source(),
                        image.digest(),
                        false)));
    return wanted;
  }

  /** All releases that the spec of an instance asks for. */
  private static List<DeploymentRef.Spec> all(RoleInstance.Spec instance) {
    return Stream.concat(wanted(instance).stream(), ofService(instance).values().stream())
        .distinct()
        .toList();
  }

  /** The releases of the versions of a service, once they all are complete. */
  Optional<Map<String, ServiceReleases.Place>> places(
      RoleInstance.Spec instance, Map<String, ServiceReleases.Place> used) {
    var places = new TreeMap<String, ServiceReleases.Place>();
    for (var wanted : ofService(instance).entrySet()) {
      var key = DeploymentRef.key(wanted.getValue());
      var place =
          ready(wanted.getValue())
              .map(release -> new ServiceReleases.Place(key, release.path()))
              // its files may be missing for a moment
              .or(() -> used.values().stream().filter(it -> it.key().equals(key)).findFirst());
      if (place.isEmpty()) {
        return Optional.empty();
      }
      places.put(wanted.getKey(), place.get());
    }
    return Optional.of(places);
  }

  /** The first version of a service whose release is not complete. */
  Optional<String> waiting(RoleInstance.Spec instance) {
    return ofService(instance).entrySet().stream()
        .filter(wanted -> ready(wanted.getValue()).isEmpty())
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** The ref of the first wanted release that is not complete, if it exists. */
  Optional<Resource<DeploymentRef.Spec, DeploymentRef.Status>> incomplete(
      RoleInstance.Spec instance) {
    return all(instance).stream()
        .filter(wanted -> ready(wanted).isEmpty())
        .findFirst()
        .flatMap(wanted -> find(DeploymentRef.name(wanted)));
  }

  Optional<Resource<DeploymentRef.Spec, DeploymentRef.Status>> find(String name) {
    return refs.stream().filter(ref -> ref.name().equals(name)).findFirst();
  }

  /** The release that the spec asks for, once all of its files are on the disk. */
  Optional<UsedRelease> ready(RoleInstance.Spec instance) {
    return wanted(instance).flatMap(this::ready);
  }

  private Optional<UsedRelease> ready(DeploymentRef.Spec wanted) {
    return find(DeploymentRef.name(wanted))
        .filter(ref -> ref.spec().unpacked().equals(wanted.withCountersOf(ref.spec())))
        .filter(ref -> !ref.meta().deleting())
        .flatMap(ReleaseRefs::used);
  }

  /**
   * Whether the archive of the wanted release is on the disk, and the version is unpacked once the
   * present release has been removed.
   */
  boolean isVerifiedOnly(RoleInstance.Spec instance) {
    return isVerifyOnly(instance)
        && isUnpackedLater(instance)
        && isInState(target(instance), DeploymentRef.State.VERIFIED);
  }

  /** Whether the wanted release is not unpacked before the processes stop. */
  boolean isUnpackedLater(RoleInstance.Spec instance) {
    return target(instance)
        .flatMap(this::find)
        .filter(ref -> ref.spec().verifyOnly() && !isComplete(ref.name()))
        .isPresent();
  }

  /** Whether the files of a release are on the disk, and stay there. */
  boolean isComplete(String name) {
    return isInState(Optional.of(name), DeploymentRef.State.CREATED);
  }

  private boolean isInState(Optional<String> name, DeploymentRef.State least) {
    return name.flatMap(this::find)
        .filter(ref -> !ref.meta().deleting())
        .flatMap(Resource::status)
        .filter(status -> status.state().atLeast(least))
        .isPresent();
  }

  private static boolean isVerifyOnly(RoleInstance.Spec instance) {
    return instance.update().filter(UpdatePolicy::onlyVerifies).isPresent();
  }

  private static Optional<UsedRelease> used(
      Resource<DeploymentRef.Spec, DeploymentRef.Status> ref) {
    return ref.status()
        .filter(status -> status.state() == DeploymentRef.State.CREATED)
        .flatMap(
            status ->
                status
                    .path()
                    .map(
                        path ->
                            new UsedRelease(
                                ref.name(),
                                path,
                                status.resolvedDigest(),
                                Optional.of(ref.spec().version()))));
  }

  /**
   * What the releases that the spec asks for wait for: one line of text, without the progress of a
   * download, since each change of it reaches the scheduler.
   */
  String reason(RoleInstance.Spec instance) {
    return incomplete(instance)
        .flatMap(Resource::status)
        .map(
            it -> {
              var word = it.state().name().toLowerCase(Locale.ROOT);
              return it.reason().isEmpty() ? word : word + ": " + it.reason() + next(it);
            })
        .orElse("waits for its turn");
  }

  private static String next(DeploymentRef.Status status) {
    return status.nextRetry().map(time -> "; next attempt at " + time).orElse("");
  }

  /**
   * The writes that create the wanted release and remove those that are neither wanted nor used. If
   * the wanted one is only verified before the processes stop, the others are removed then, and it
   * is unpacked once they are gone.
   *
   * @param used the release of the files in place
   * @param places those of a service whose processes are in place
   * @param settled whether all processes are known to be of that release
   */
  List<Write> writes(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance,
      Optional<String> used,
      Map<String, ServiceReleases.Place> places,
      boolean settled) {
    var writes = new ArrayList<Write>();
    var wanted = wanted(instance.spec());
    var target = wanted.map(DeploymentRef::name);
    // A release that replaces none needs no space of another one.
    boolean later = isVerifyOnly(instance.spec()) && used.isPresent() && !used.equals(target);
    wanted
        .filter(spec -> find(DeploymentRef.name(spec)).isEmpty())
        .ifPresent(spec -> writes.add(new Write.Put(made(later ? spec.verifiedOnly() : spec))));
    var services = ofService(instance.spec()).values().stream().distinct().toList();
    services.stream()
        .filter(spec -> find(DeploymentRef.name(spec)).isEmpty())
        .forEach(spec -> writes.add(new Write.Put(made(spec))));
    var replacement = instance.status().flatMap(RoleInstance.Status::replacement);
    boolean givesUp =
        later
            && replacement.filter(Replacement::preparesDown).isPresent()
            && Goal.failed(instance).isEmpty()
            && isInState(target, DeploymentRef.State.VERIFIED);
    boolean alone = refs.stream().allMatch(ref -> Optional.of(ref.name()).equals(target));
    boolean unpacks =
        later
            ? givesUp && alone
            : replacement.filter(it -> it.phase() == RoleInstance.Phase.STOP).isEmpty();
    target
        .flatMap(this::find)
        .filter(ref -> unpacks && ref.spec().verifyOnly() && !ref.meta().deleting())
        .ifPresent(ref -> writes.add(new Write.Put(ref.withSpec(ref.spec().unpacked()))));
    if (settled || replacement.isPresent()) {
      var back =
          Goal.failed(instance)
              .map(FailedVersion::former)
              .or(() -> replacement.flatMap(Replacement::former));
      var former = back.flatMap(TemplateOutput.Next::release).map(UsedRelease::ref);
      var keys =
          Stream.concat(
                  Stream.concat(
                          places.values().stream(),
                          back.stream()
                              .flatMap(it -> ServiceReleases.of(it.variables()).values().stream()))
                      .map(ServiceReleases.Place::key),
                  services.stream().map(DeploymentRef::key))
              .toList();
      var held =
          (givesUp
                  ? Stream.of(target)
                  : Stream.of(
                      target,
                      used,
                      replacement.flatMap(Replacement::from),
                      replacement.flatMap(Replacement::to),
                      former))
              .flatMap(Optional::stream)
              .toList();
      refs.stream()
          .filter(ref -> !held.contains(ref.name()) && !ref.meta().deleting())
          .filter(ref -> !keys.contains(DeploymentRef.key(ref.spec())))
          .forEach(ref -> writes.add(new Write.Remove(ref)));
    }
    return writes;
  }

  private static Resource<DeploymentRef.Spec, DeploymentRef.Status> made(DeploymentRef.Spec spec) {
    var made = Resource.of(DeploymentRef.KIND, DeploymentRef.name(spec), spec);
    return made.withMeta(
        made.meta()
            .withLabels(Map.of("role", spec.role(), "node", spec.node()))
            .withFinalizers(List.of(DeploymentRef.FINALIZER)));
  }

  /** The writes that remove all of them. */
  List<Write> release() {
    return refs.stream()
        .filter(ref -> !ref.meta().deleting())
        .<Write>map(Write.Remove::new)
        .toList();
  }
}
