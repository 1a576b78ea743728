package verwalter.stores.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import verwalter.model.Event;
import verwalter.model.Kind;
import verwalter.model.Kinds;
import verwalter.model.Metadata;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.model.Scope;
import verwalter.model.Writer;
import verwalter.stores.api.Changes.Part;

class WriteRulesTest {
  /** The writers of each part, for a leading author on the object's node. */
  private static final Map<String, String> TABLE = new TreeMap<>();

  static {
    var shared = "LABELS SET_ANNOTATION DROP_ANNOTATION OTHER_FINALIZER ";
    row("Node", "CREATE", "OPERATOR NODE");
    row("Node", "SPEC OWNERS " + shared, "OPERATOR");
    row("Node", "DROP_OWN_ANNOTATION", "OPERATOR NODE LEASE CONFIG");
    row("Node", "STATUS", "NODE");
    row("Node", "CONDITION", "LEASE");
    row("Node", "REMOVE", "OPERATOR NODE");
    row("Node", "CONTROLLER_FINALIZER", "MEMBERSHIP");
    row("RoleConfig", "CREATE SPEC OWNERS REMOVE " + shared, "OPERATOR CONFIG");
    row("RoleConfig", "DROP_OWN_ANNOTATION", "OPERATOR CONFIG ROLE ROLLOUT SCHEDULE");
    row("RoleConfig", "STATUS", "CONFIG");
    row("RoleConfig", "CONDITION", "SCHEDULE");
    row("Rollout", "CREATE SPEC OWNERS STATUS", "ROLLOUT");
    row("Rollout", "REMOVE DROP_OWN_ANNOTATION " + shared, "OPERATOR ROLLOUT");
    row(
        "Configuration",
        "CREATE SPEC OWNERS REMOVE DROP_OWN_ANNOTATION " + shared,
        "OPERATOR CONFIG");
    row("Configuration", "STATUS", "CONFIG");
    row("SchedulerCode", "CREATE SPEC OWNERS", "CONFIG");
    row("SchedulerCode", "REMOVE DROP_OWN_ANNOTATION " + shared, "OPERATOR CONFIG");
    row("Schedule", "CREATE SPEC OWNERS STATUS", "SCHEDULE");
    row("Schedule", "REMOVE", "SCHEDULE");
    row("Schedule", "DROP_OWN_ANNOTATION " + shared, "OPERATOR SCHEDULE");
    row("NodeSchedule", "CREATE SPEC OWNERS", "SCHEDULE");
    row("NodeSchedule", "REMOVE", "SCHEDULE");
    row("NodeSchedule", shared, "OPERATOR SCHEDULE");
    row("NodeSchedule", "DROP_OWN_ANNOTATION", "OPERATOR SCHEDULE NODE_SCHEDULE");
    row("NodeSchedule", "STATUS", "NODE_SCHEDULE");
    row("RoleInstance", "CREATE SPEC OWNERS", "NODE_SCHEDULE");
    row("RoleInstance", "REMOVE", "NODE_SCHEDULE");
    row("RoleInstance", shared, "OPERATOR NODE_SCHEDULE");
    row("RoleInstance", "DROP_OWN_ANNOTATION", "OPERATOR NODE_SCHEDULE INSTANCE");
    row("RoleInstance", "CONTROLLER_FINALIZER STATUS", "INSTANCE");
    row("TemplateOutput", "CREATE SPEC OWNERS", "INSTANCE");
    row("TemplateOutput", "REMOVE", "INSTANCE");
    row("TemplateOutput", shared, "OPERATOR INSTANCE");
    row("TemplateOutput", "DROP_OWN_ANNOTATION", "OPERATOR INSTANCE TEMPLATE");
    row("TemplateOutput", "CONTROLLER_FINALIZER STATUS", "TEMPLATE");
    row("ProcessGroup", "CREATE SPEC OWNERS", "INSTANCE");
    row("ProcessGroup", "REMOVE", "INSTANCE");
    row("ProcessGroup", shared, "OPERATOR INSTANCE");
    row("ProcessGroup", "DROP_OWN_ANNOTATION", "OPERATOR INSTANCE PROCESS");
    row("ProcessGroup", "CONTROLLER_FINALIZER STATUS", "PROCESS");
    row("DeploymentRef", "CREATE SPEC OWNERS REMOVE", "INSTANCE");
    row("DeploymentRef", shared, "OPERATOR INSTANCE");
    row("DeploymentRef", "DROP_OWN_ANNOTATION", "OPERATOR INSTANCE DEPLOYMENT");
    row("DeploymentRef", "CONTROLLER_FINALIZER STATUS", "DEPLOYMENT");
    row("Artifact", "CREATE SPEC OWNERS REMOVE CONTROLLER_FINALIZER STATUS", "DEPLOYMENT");
    row("Artifact", "DROP_OWN_ANNOTATION " + shared, "OPERATOR DEPLOYMENT");
    row("Action", "CREATE SPEC OWNERS " + shared, "OPERATOR");
    row("Action", "REMOVE DROP_OWN_ANNOTATION", "OPERATOR SCHEDULE");
    row("Action", "STATUS", "SCHEDULE");
    var controllers = "CONFIG SCHEDULE NODE_SCHEDULE INSTANCE TEMPLATE PROCESS NODE LEASE EVENTS";
    row("Event", "CREATE SPEC OWNERS", controllers);
    row("Event", "REMOVE DROP_OWN_ANNOTATION " + shared, "OPERATOR " + controllers);
    row("JoinToken", "CREATE SPEC OWNERS " + shared, "OPERATOR");
    row("JoinToken", "REMOVE DROP_OWN_ANNOTATION", "OPERATOR JOIN");
    row("JoinToken", "STATUS", "JOIN");
    row("AuthorityChange", "CREATE SPEC OWNERS " + shared, "OPERATOR");
    row("AuthorityChange", "REMOVE DROP_OWN_ANNOTATION", "OPERATOR JOIN");
    row("AuthorityChange", "CONTROLLER_FINALIZER STATUS", "JOIN");
    row("ClusterConfig", "CREATE SPEC OWNERS DROP_OWN_ANNOTATION " + shared, "OPERATOR MEMBERSHIP");
    row("ClusterConfig", "STATUS REMOVE", "MEMBERSHIP");
    for (var kind : List.of("AccessRule", "AccessToken")) {
      row(kind, "CREATE SPEC OWNERS REMOVE DROP_OWN_ANNOTATION " + shared, "OPERATOR");
    }
  }

  private static void row(String kind, String parts, String writers) {
    for (var part : parts.strip().split(" ", -1)) {
      TABLE.put(kind + " " + part, writers);
    }
  }

  private static Set<Writer> table(Kind<?, ?> kind, Part part) {
    var writers = EnumSet.noneOf(Writer.class);
    for (var name : TABLE.getOrDefault(kind.name() + " " + part, "").split(" ", -1)) {
      writers.add(Writer.valueOf(name));
    }
    if (kind.scope() == Scope.NODE && !kind.equals(Event.KIND)) {
      writers.add(Writer.RENAMING);
    }
    return writers;
  }

  private static Optional<StoreException.Forbidden> refusal(
      Author author, Kind<?, ?> kind, Part... parts) {
    var present = Changes.present(kind);
    Optional<Resource<?, ?>> before =
        parts[0] == Part.CREATE ? Optional.empty() : Optional.of(present);
    return WriteRules.refusal(author, before, Changes.of(present, parts));
  }

  /** Creates a leading author that works for the node of the sample objects. */
  private static Author author(Writer writer) {
    return new Author(writer, Optional.of("n1"), OptionalLong.of(3));
  }

  @Test
  void eachPartIsWrittenByItsWritersOnly() {
    for (var kind : Kinds.ALL) {
      for (var part : Part.values()) {
        if (Changes.has(kind, part)) {
          var allowed = EnumSet.noneOf(Writer.class);
          for (var writer : Writer.values()) {
            if (refusal(author(writer), kind, part).isEmpty()) {
              allowed.add(writer);
            }
          }
          assertThat(allowed).as(kind.name() + " " + part).isEqualTo(table(kind, part));
        }
      }
    }
  }

  @Test
  void aRefusalNamesTheWriter() {
    assertThat(refusal(author(Writer.OPERATOR), ProcessGroup.KIND, Part.SPEC).orElseThrow())
        .hasMessage(
            "ProcessGroup/web@n1: its spec is written by the instance controller, not by"
                + " operators");
    assertThat(refusal(author(Writer.CONFIG), RoleConfig.KIND, Part.CONDITION).orElseThrow())
        .hasMessage(
            "RoleConfig/web: its condition Scheduled is written by the schedule controller, not"
                + " by the config controller");
    assertThat(refusal(author(Writer.TEMPLATE), ProcessGroup.KIND, Part.REMOVE).orElseThrow())
        .hasMessage(
            "ProcessGroup/web@n1: its removal is requested by the instance controller, not by the"
                + " template controller");
    assertThat(refusal(author(Writer.PROCESS), ProcessGroup.KIND, Part.LABELS).orElseThrow())
        .hasMessageContaining("its labels are written by operators and the instance controller");
  }

  @Test
  void noControllerWritesObjectsOfAnotherNode() {
    for (var kind : Kinds.ALL) {
      var named = Changes.present(kind);
      if (node(named).isEmpty()) {
        continue;
      }
      for (var part : Part.values()) {
        for (var writer : Writer.values()) {
          if (Changes.has(kind, part)) {
            var refusal =
                refusal(new Author(writer, Optional.of("n2"), OptionalLong.of(3)), kind, part);
            assertThat(refusal).as("%s %s %s", kind.name(), part, writer).isPresent();
            assertThat(refusal.get().getMessage()).contains("by the agent of node n1, not by");
          }
        }
      }
    }
  }

  private static <S, T> Optional<String> node(Resource<S, T> object) {
    return object.type().node(object);
  }

  @Test
  void aRenamingWritesObjectsOfFormerNames() {
    var renaming = Author.ofRenamed("n2", Set.of("n1"));
    for (var kind : Kinds.ALL) {
      for (var part : Part.values()) {
        if (Changes.has(kind, part)) {
          assertThat(refusal(renaming, kind, part).isEmpty())
              .as("%s %s", kind.name(), part)
              .isEqualTo(kind.scope() == Scope.NODE && !kind.equals(Event.KIND));
        }
      }
    }
    for (var stranger :
        List.of(
            Author.ofRenamed("n2", Set.of("n3")),
            new Author(Writer.PROCESS, Optional.of("n2"), OptionalLong.empty(), Set.of("n1")))) {
      assertThat(refusal(stranger, ProcessGroup.KIND, Part.SPEC)).isPresent();
    }
  }

  @Test
  void aNodeWritesItsFormerNames() {
    var present = Changes.present(Node.KIND);
    var annotations = new HashMap<>(present.meta().annotations());
    annotations.put(Node.FORMER_NAMES, "n0");
    var renamed = new Write.Put(present.withMeta(present.meta().withAnnotations(annotations)));
    var known = Optional.<Resource<?, ?>>of(present);
    assertThat(WriteRules.refusal(Author.ofNode(Writer.NODE, "n1"), known, renamed)).isEmpty();
    assertThat(WriteRules.refusal(Author.ofNode(Writer.NODE, "n2"), known, renamed)).isPresent();
    assertThat(WriteRules.refusal(Author.ofNode(Writer.LEASE, "n1"), known, renamed)).isPresent();
  }

  @Test
  void anObjectIsNotMovedToAnotherNode() {
    var present = Changes.present(ProcessGroup.KIND);
    var moved =
        new Resource<>(
            ProcessGroup.KIND,
            present.meta(),
            new ProcessGroup.Spec("web", "n2", "web", Map.of()),
            Optional.empty());
    assertThat(
            WriteRules.refusal(
                Author.ofNode(Writer.INSTANCE, "n1"), Optional.of(present), new Write.Put(moved)))
        .get()
        .extracting(Throwable::getMessage)
        .asString()
        .contains("by the agent of node n2");
  }

  @Test
  void objectsOfTheClusterAreWrittenByTheLeaderOnly() {
    var exempt =
        List.of("Node CREATE NODE", "Node STATUS NODE", "NodeSchedule STATUS NODE_SCHEDULE");
    for (var kind : Kinds.ALL) {
      for (var part : Part.values()) {
        if (!Changes.has(kind, part)) {
          continue;
        }
        for (var writer : table(kind, part)) {
          var follower = Author.ofNode(writer, "n1");
          boolean free =
              kind.scope() == Scope.NODE
                  || exempt.contains(kind.name() + " " + part + " " + writer);
          assertThat(refusal(follower, kind, part).isEmpty())
              .as("%s %s %s", kind.name(), part, writer)
              .isEqualTo(free);
        }
      }
    }
    assertThat(refusal(Author.ofNode(Writer.OPERATOR, "n1"), RoleConfig.KIND, Part.SPEC))
        .get()
        .extracting(Throwable::getMessage)
        .asString()
        .contains("its spec is written by the leader, not by operators");
  }

  @Test
  void aFollowerWritesTheStatusOfItsOwnNodeOnly() {
    assertThat(refusal(Author.ofNode(Writer.NODE_SCHEDULE, "n2"), NodeSchedule.KIND, Part.STATUS))
        .isPresent();
    var nobody = new Author(Writer.NODE_SCHEDULE, Optional.empty(), OptionalLong.empty());
    assertThat(refusal(nobody, NodeSchedule.KIND, Part.STATUS)).isPresent();
  }

  @Test
  void whatChangesNothingIsLetThrough() {
    for (var kind : Kinds.ALL) {
      var present = Changes.present(kind);
      for (var write : List.of(new Write.Put(present), new Write.PutStatus(present))) {
        var author = new Author(Writer.PROCESS, Optional.of("n9"), OptionalLong.empty());
        assertThat(WriteRules.refusal(author, Optional.of(present), write)).isEmpty();
      }
    }
  }

  @Test
  void aCreationWithAStatusNeedsAWriterOfTheStatus() {
    var status = Changes.present(RoleConfig.KIND);
    var made = new Write.Put(status.withMeta(Metadata.named(status.name())));
    assertThat(WriteRules.refusal(author(Writer.OPERATOR), Optional.empty(), made)).isPresent();
    var group = Changes.present(ProcessGroup.KIND);
    made = new Write.Put(group.withMeta(Metadata.named(group.name())));
    assertThat(WriteRules.refusal(author(Writer.INSTANCE), Optional.empty(), made)).isPresent();
  }

  /** A write that the rules allow changes no part of another writer. */
  @Property(tries = 4000)
  void noPartIsChangedByAnotherThanItsWriter(
      @ForAll("kinds") Kind<?, ?> kind,
      @ForAll("parts") Set<Part> parts,
      @ForAll Writer writer,
      @ForAll("nodes") Optional<String> node,
      @ForAll boolean leads) {
    var changed =
        parts.stream().filter(part -> Changes.has(kind, part)).sorted().toArray(Part[]::new);
    if (changed.length == 0) {
      return;
    }
    var author = new Author(writer, node, leads ? OptionalLong.of(3) : OptionalLong.empty());
    boolean allowed = true;
    for (var part : changed) {
      boolean own =
          leads
              || kind.scope() == Scope.NODE
              || (node.isPresent()
                  && (part == Part.STATUS || part == Part.CREATE)
                  && ((kind.equals(Node.KIND) && writer == Writer.NODE)
                      || (kind.equals(NodeSchedule.KIND) && writer == Writer.NODE_SCHEDULE)));
      allowed &= table(kind, part).contains(writer) && own;
    }
    allowed &= node.isEmpty() || node(Changes.present(kind)).map(node.get()::equals).orElse(true);
    assertThat(refusal(author, kind, changed).isEmpty()).isEqualTo(allowed);
  }

  @Provide
  Arbitrary<Kind<?, ?>> kinds() {
    return Arbitraries.of(Kinds.ALL);
  }

  /** Sets of parts that one write can change. */
  @Provide
  Arbitrary<Set<Part>> parts() {
    var main =
        EnumSet.range(Part.SPEC, Part.OTHER_FINALIZER).stream()
            // Both change the same annotation.
            .filter(part -> part != Part.SET_ANNOTATION)
            .toList();
    return Arbitraries.oneOf(
        Arbitraries.of(main).set().ofMinSize(1).ofMaxSize(4),
        Arbitraries.of(Part.STATUS, Part.CONDITION).set().ofMinSize(1),
        Arbitraries.of(Part.values()).map(Set::of));
  }

  @Provide
  Arbitrary<Optional<String>> nodes() {
    return Arbitraries.of(Optional.empty(), Optional.of("n1"), Optional.of("n2"));
  }
}
