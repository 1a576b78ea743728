package verwalter.ui.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import verwalter.model.AccessRule;
import verwalter.model.AccessToken;
import verwalter.model.AuthorityChange;
import verwalter.model.JoinToken;
import verwalter.model.Kind;
import verwalter.model.Kinds;
import verwalter.model.SchedulerCode;

/** The discovery documents of the API. */
final class Discovery {
  private static final List<String> VERBS =
      List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

  /** Kinds that {@code get all} leaves out: few callers may read them, or want to. */
  private static final Set<Kind<?, ?>> SEPARATE =
      Set.of(
          AccessRule.KIND,
          AccessToken.KIND,
          AuthorityChange.KIND,
          JoinToken.KIND,
          SchedulerCode.KIND);

  /** {@code /api}: no core group. */
  static ObjectNode coreVersions() {
    var versions = JsonNodeFactory.instance.objectNode();
    versions.put("kind", "APIVersions");
    versions.putArray("versions");
    versions.putArray("serverAddressByClientCIDRs");
    return versions;
  }

  /** {@code /apis}. */
  static ObjectNode groups() {
    var list = JsonNodeFactory.instance.objectNode();
    list.put("kind", "APIGroupList").put("apiVersion", "v1");
    describe(list.putArray("groups").addObject());
    return list;
  }

  /** {@code /apis/verwalter.io}. */
  static ObjectNode group() {
    var group = JsonNodeFactory.instance.objectNode();
    group.put("kind", "APIGroup").put("apiVersion", "v1");
    describe(group);
    return group;
  }

  private static void describe(ObjectNode group) {
    group.put("name", Kind.GROUP);
    version(group.putArray("versions").addObject());
    version(group.putObject("preferredVersion"));
  }

  private static void version(ObjectNode version) {
    version.put("groupVersion", Kind.API_VERSION).put("version", Kind.VERSION);
  }

  /** {@code /apis/verwalter.io/v1}. */
  static ObjectNode resources() {
    var list = JsonNodeFactory.instance.objectNode();
    list.put("kind", "APIResourceList").put("apiVersion", "v1");
    list.put("groupVersion", Kind.API_VERSION);
    var resources = list.putArray("resources");
    for (var kind : Kinds.ALL) {
      var resource = resource(resources, kind, kind.plural());
      VERBS.forEach(resource.putArray("verbs")::add);
      resource.putArray("shortNames").add(kind.shortName());
      if (!SEPARATE.contains(kind)) {
        resource.putArray("categories").add("all");
      }
      if (hasStatus(kind)) {
        var status = resource(resources, kind, kind.plural() + "/status");
        status.putArray("verbs").add("get").add("patch").add("update");
      }
    }
    return list;
  }

  private static ObjectNode resource(ArrayNode resources, Kind<?, ?> kind, String name) {
    return resources
        .addObject()
        .put("name", name)
        .put("singularName", name.contains("/") ? "" : kind.name().toLowerCase(Locale.ROOT))
        .put("namespaced", false)
        .put("kind", kind.name());
  }

  /** {@code /version}. Some clients fail if a field is missing, so unknown ones are empty. */
  static ObjectNode version(String version) {
    var numbers = version.split("[.-]", 3);
    return JsonNodeFactory.instance
        .objectNode()
        .put("major", numbers[0])
        .put("minor", numbers.length > 1 ? numbers[1] : "0")
        .put("gitVersion", "v" + version)
        .put("gitCommit", "")
        .put("gitTreeState", "")
        .put("buildDate", "")
        .put("goVersion", "java" + Runtime.version().feature())
        .put("compiler", "javac")
        .put("platform", "java");
  }

  /** Whether the kind has a status. */
  static boolean hasStatus(Kind<?, ?> kind) {
    return !kind.status().equals(Kind.None.class);
  }

  private Discovery() {}
}
