package verwalter.stores.api;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import verwalter.model.ClusterConfig;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Conditioned;
import verwalter.model.Event;
import verwalter.model.Kind;
import verwalter.model.Metadata;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.model.Scope;
import verwalter.model.Writer;

/**
 * The rules that say which author may write which part of an object. They apply to the parts in
 * which a write differs from the present object. Pure; {@link AuthoredStore} enforces the rules.
 *
 * <ol>
 *   <li>An author that works for a node does not write objects of another node. {@link
 *       Writer#RENAMING} also writes objects of a former name of its node.
 *   <li>Only an author that leads writes objects of scope {@link Scope#CLUSTER}. Exceptions: the
 *       node controller creates its own Node and writes its status and its former names, and the
 *       node-schedule controller writes the status of its own NodeSchedule.
 *   <li>Spec and owners are written by the writers of the spec, who also create the objects with
 *       all their metadata. {@link Writer#NODE} creates its Node, and changes no spec. The counters
 *       of a {@link verwalter.model.Commanded} spec are written by operators only, who raise them.
 *   <li>The status is written by its writers. A condition with its own writer is written only by
 *       that writer, which writes nothing else in the status.
 *   <li>Labels and annotations are written by operators and the writers of the spec. Writers of the
 *       status may remove annotations with the prefix {@link #OWN}, which request one-time
 *       operations. {@link Writer#NODE} writes the former names of its machine.
 *   <li>A finalizer of a controller is added and removed by that controller; any other by operators
 *       and the writers of the spec.
 *   <li>The removal of an object is requested by the writers of the spec and the removers that the
 *       kind lists, which are operators unless processes run because of the objects.
 *   <li>{@link Writer#RENAMING} copies whole objects: it writes every part of the objects of scope
 *       {@link Scope#NODE} that the first rule allows, except for {@link Event}.
 * </ol>
 *
 * <p>{@link #fromFile} is one more rule, with an error of its own.
 */
public final class WriteRules {
  /** The prefix of Verwalter's annotations. */
  public static final String OWN = Kind.GROUP + "/";

  /** Controllers that report to the leader about their own node. */
  private static final Set<Writer> OF_OWN_NODE = Set.of(Writer.NODE, Writer.NODE_SCHEDULE);

  /** The parts of an object that a write changes. */
  private enum Part {
    CREATION,
    STATUS,
    IDENTITY,
    REMOVAL,
    OTHER
  }

  /** A part that a write changes, with its writers. */
  private record Touched(Part part, String title, Set<Writer> writers) {}

  /**
   * Returns why a write is refused, or empty if it is allowed.
   *
   * @param present the present object; empty if there is none
   */
  public static Optional<StoreException.Forbidden> refusal(
      Author author, Optional<Resource<?, ?>> present, Write write) {
    var touched = touched(present, write);
    if (touched.isEmpty()) {
      return Optional.empty();
    }
    return elsewhere(author, present.orElse(write.resource()), touched)
        .or(() -> elsewhere(author, write.resource(), touched))
        .or(() -> byFollower(author, write.resource(), touched))
        .or(() -> byOther(author, write.resource(), touched));
  }

  /**
   * Returns the refusal of an operator's write to an object that is read from a file: of its spec,
   * of the label that says so, or of the object. Other labels and annotations are the operators'.
   * Nor do operators give that label to an object, since files are trusted more than they are.
   */
  public static Optional<StoreException.FromFile> fromFile(
      Author author, Optional<Resource<?, ?>> present, Write write) {
    if (author.writer() != Writer.OPERATOR) {
      return Optional.empty();
    }
    var now = present.flatMap(WriteRules::file);
    var refused =
        now.isPresent()
            ? now.filter(file -> write instanceof Write.Remove || undone(present.get(), write))
            : file(write.resource()).filter(file -> write instanceof Write.Put);
    return refused.map(file -> new StoreException.FromFile(write.resource().key(), file));
  }

  @SuppressWarnings("unchecked") // checked by its kind
  private static Optional<String> file(Resource<?, ?> object) {
    return object.type().equals(RoleConfig.KIND)
        ? RoleConfig.file((Resource<RoleConfig.Spec, RoleConfig.Status>) object)
        : Optional.empty();
  }

  private static boolean undone(Resource<?, ?> object, Write write) {
    return write instanceof Write.Put
        && (!write.resource().spec().equals(object.spec()) || file(write.resource()).isEmpty());
  }

  /** Checks rule 1. */
  private static <S, T> Optional<StoreException.Forbidden> elsewhere(
      Author author, Resource<S, T> object, List<Touched> touched) {
    return author
        .node()
        .flatMap(own -> object.type().node(object).filter(named -> !named.equals(own)))
        .filter(named -> !author.former().contains(named))
        .map(
            named ->
                new StoreException.Forbidden(
                    object.key(),
                    touched.get(0).title(),
                    author.title(),
                    "the agent of node " + named));
  }

  /** Checks rule 2. */
  private static <S, T> Optional<StoreException.Forbidden> byFollower(
      Author author, Resource<S, T> object, List<Touched> touched) {
    boolean own =
        OF_OWN_NODE.contains(author.writer())
            && author.node().isPresent()
            && author.node().equals(object.type().node(object));

    return object.type().scope() != Scope.CLUSTER
            || author.epoch().isPresent()
            || (own && touched.stream().allMatch(each -> isExempt(object.type(), each.part())))
        ? Optional.empty()
        : Optional.of(
            new StoreException.Forbidden(
                object.key(),
                touched.get(0).title(),
                author.title() + " on a node that does not lead",
                "the leader"));
  }

  private static boolean isExempt(Kind<?, ?> kind, Part part) {
    return kind.equals(Node.KIND)
        ? part == Part.STATUS || part == Part.CREATION || part == Part.IDENTITY
        : kind.equals(NodeSchedule.KIND) && part == Part.STATUS;
  }

  /** Checks rules 3 to 8. */
  private static Optional<StoreException.Forbidden> byOther(
      Author author, Resource<?, ?> object, List<Touched> touched) {
    boolean moves =
        author.writer() == Writer.RENAMING
            && object.type().scope() == Scope.NODE
            && !object.type().equals(Event.KIND);
    return touched.stream()
        .filter(each -> !moves && !each.writers().contains(author.writer()))
        .findFirst()
        .map(
            each ->
                new StoreException.Forbidden(
                    object.key(), each.title(), author.writer().title(), titles(each.writers())));
  }

  private static String titles(Set<Writer> writers) {
    var titles = writers.stream().map(Writer::title).collect(Collectors.toList());
    if (titles.size() < 2) {
      return titles.isEmpty() ? "nobody" : titles.get(0);
    }
    var last = titles.remove(titles.size() - 1);
    return String.join(", ", titles) + " and " + last;
  }

  private static List<Touched> touched(Optional<Resource<?, ?>> present, Write write) {
    var object = write.resource();
    if (write instanceof Write.Remove) {
      return List.of(new Touched(Part.REMOVAL, "removal", removers(object.type())));
    }
    if (write instanceof Write.PutStatus) {
      return status(object.type(), present.flatMap(Resource::status), object.status());
    }
    if (present.isPresent() && object.meta().version() != 0) {
      return changed(present.get(), object);
    }
    var created = new ArrayList<Touched>();
    created.add(new Touched(Part.CREATION, "spec", object.type().specWriters()));
    created.addAll(status(object.type(), Optional.empty(), object.status()));
    return created;
  }

  private static Set<Writer> removers(Kind<?, ?> kind) {
    if (kind.equals(ClusterConfig.KIND)) {
      return EnumSet.of(Writer.MEMBERSHIP); // it has the revocations
    }
    var removers = EnumSet.noneOf(Writer.class);
    removers.addAll(kind.specWriters());
    removers.addAll(kind.writers().removal());
    return removers;
  }

  /** The changed parts of metadata and spec. */
  private static List<Touched> changed(Resource<?, ?> present, Resource<?, ?> wanted) {
    var kind = wanted.type();
    var before = present.meta();
    var after = wanted.meta();
    var specWriters = EnumSet.noneOf(Writer.class);
    specWriters.addAll(kind.specWriters());
    if (kind.equals(Node.KIND)) {
      specWriters.remove(Writer.NODE);
    }
    var all = new ArrayList<Touched>();
    var counters = CommandCounters.of(present.spec(), wanted.spec());
    counters
        .changed()
        .forEach(
            name -> all.add(new Touched(Part.OTHER, "spec." + name, EnumSet.of(Writer.OPERATOR))));
    if (!counters.rest().equals(present.spec())) {
      all.add(new Touched(Part.OTHER, "spec", specWriters));
    }
    if (!after.owners().equals(before.owners())) {
      all.add(new Touched(Part.OTHER, "list of owners", specWriters));
    }
    var shared = EnumSet.copyOf(specWriters);
    shared.add(Writer.OPERATOR);
    if (!after.labels().equals(before.labels())) {
      all.add(new Touched(Part.OTHER, "labels", shared));
    }
    all.addAll(annotations(kind, before.annotations(), after.annotations(), shared));
    all.addAll(finalizers(kind, before, after, shared));
    return all;
  }

  private static List<Touched> annotations(
      Kind<?, ?> kind,
      Map<String, String> before,
      Map<String, String> after,
      EnumSet<Writer> shared) {
    var all = new ArrayList<Touched>();
    var names = new HashSet<>(before.keySet());
    names.addAll(after.keySet());
    for (var name : names) {
      var value = after.get(name);
      if (kind.equals(Node.KIND) && name.equals(Node.FORMER_NAMES)) {
        if (!Objects.equals(value, before.get(name))) {
          var writers = EnumSet.copyOf(shared);
          writers.add(Writer.NODE);
          all.add(new Touched(Part.IDENTITY, "annotation " + name, writers));
        }
      } else if (kind.equals(Node.KIND) && name.equals(Node.ELECTOR)) {
        if (!Objects.equals(value, before.get(name))) {
          all.add(new Touched(Part.OTHER, "annotation " + name, EnumSet.of(Writer.MEMBERSHIP)));
        }
      } else if (value == null && name.startsWith(OWN)) {
        var writers = EnumSet.copyOf(shared);
        writers.addAll(kind.statusWriters());
        all.add(new Touched(Part.OTHER, "annotation " + name, writers));
      } else if (value == null || !value.equals(before.get(name))) {
        all.add(new Touched(Part.OTHER, "annotation " + name, shared));
      }
    }
    return all;
  }

  private static List<Touched> finalizers(
      Kind<?, ?> kind, Metadata before, Metadata after, Set<Writer> shared) {
    var changed = new HashSet<>(before.finalizers());
    changed.addAll(after.finalizers());
    changed.removeIf(each -> before.has(each) && after.has(each));
    var all = new ArrayList<Touched>();
    for (var each : changed) {
      var own = kind.writers().finalizers().get(each);
      all.add(new Touched(Part.OTHER, "finalizer " + each, own == null ? shared : EnumSet.of(own)));
    }
    return all;
  }

  /** The changed parts of the status. */
  private static List<Touched> status(Kind<?, ?> kind, Optional<?> before, Optional<?> after) {
    if (before.equals(after)) {
      return List.of();
    }
    var all = new ArrayList<Touched>();
    var own = kind.writers().conditions();
    own.forEach(
        (type, writer) -> {
          if (!condition(before, type).equals(condition(after, type))
              || !detail(before, type).equals(detail(after, type))) {
            all.add(new Touched(Part.STATUS, "condition " + type.title(), EnumSet.of(writer)));
          }
        });
    if (!without(before, own.keySet()).equals(without(after, own.keySet()))) {
      var writers = EnumSet.noneOf(Writer.class);
      writers.addAll(kind.statusWriters());
      writers.removeAll(own.values());
      all.add(new Touched(Part.STATUS, "status", writers));
    }
    return all;
  }

  private static Optional<Condition> condition(Optional<?> status, ConditionType type) {
    return status
        .filter(Conditioned.class::isInstance)
        .flatMap(it -> Condition.find(((Conditioned<?>) it).conditions(), type));
  }

  private static Optional<?> detail(Optional<?> status, ConditionType type) {
    return status
        .filter(Conditioned.class::isInstance)
        .flatMap(it -> ((Conditioned<?>) it).detail(type));
  }

  private static Optional<?> without(Optional<?> status, Collection<ConditionType> types) {
    return status.map(
        it -> it instanceof Conditioned<?> conditioned ? without(conditioned, types) : it);
  }

  private static Object without(Conditioned<?> status, Collection<ConditionType> types) {
    var others =
        status.conditions().stream()
            .filter(condition -> types.stream().noneMatch(condition::is))
            .toList();
    var rest = Objects.requireNonNull(status.withConditions(others));
    return rest instanceof Conditioned<?> conditioned
        ? Objects.requireNonNull(conditioned.withoutDetails())
        : rest;
  }

  private WriteRules() {}
}
