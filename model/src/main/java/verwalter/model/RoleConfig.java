package verwalter.model;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import verwalter.model.json.Json;

/**
 * The configuration of a role from the files below {@code runtime/}. Its name is the name of the
 * role.
 */
public final class RoleConfig {
  public static final Kind<Spec, Status> KIND =
      Kind.of("RoleConfig", "rcfg", Spec.class, Status.class)
          .in(Scope.CLUSTER)
          .specBy(Writer.CONFIG, Writer.OPERATOR)
          .statusBy(Writer.CONFIG, Writer.SCHEDULE, Writer.ROLE, Writer.ROLLOUT)
          .conditionBy(ConditionType.SCHEDULED, Writer.SCHEDULE)
          .conditionBy(ConditionType.HEALTHY, Writer.ROLE)
          .conditionBy(ConditionType.ROLLED_OUT, Writer.ROLLOUT)
          .conditionBy(ConditionType.PLACED, Writer.ROLLOUT);

  /** The directory with files and directories of roles, below the configuration directory. */
  public static final String RUNTIME = "runtime";

  /** The directory with a file for each service, below the configuration directory. */
  public static final String ROLES = "roles";

  /** The label with the origin of a role; absent for roles that operators create. */
  public static final String ORIGIN = "verwalter.io/origin";

  /** The value of {@link #ORIGIN} of a role that was read from {@link #RUNTIME}. */
  public static final String CONFIG_DIRECTORY = "config-dir";

  /** The value of {@link #ORIGIN} of a service that was read from {@link #ROLES}. */
  public static final String ROLE_FILE = "role-file";

  /**
   * The path below the configuration directory that the role was read from: {@code runtime/NAME} or
   * {@code roles/NAME.yaml}. Empty if it was not read from files.
   */
  public static Optional<String> file(Resource<Spec, Status> role) {
    var origin = role.meta().labels().getOrDefault(ORIGIN, "");
    return switch (origin) {
      case CONFIG_DIRECTORY -> Optional.of(RUNTIME + "/" + role.name());
      case ROLE_FILE -> Optional.of("%s/%s.yaml".formatted(ROLES, role.name()));
      default -> Optional.empty();
    };
  }

  private static final Pattern VERSION = Pattern.compile("v\\d.*", Pattern.DOTALL);

  /**
   * The metadata of one role.
   *
   * @param versions metadata of each version: entries whose names begin with {@code v} and a digit
   * @param settings all other entries
   * @param value the whole value, if it is a string or number instead of a directory or mapping
   */
  public record Spec(
      Map<String, Object> versions, Map<String, Object> settings, Optional<Object> value) {
    /** The metadata of a role whose files were never read. */
    public static final Spec UNREAD = new Spec(Map.of(), Map.of(), Optional.empty());

    public Spec {
      versions = Json.freeze(versions);
      settings = Json.freeze(settings);
      value = value.map(Json::freeze);
    }

    /** Splits an entry of the runtime tree into versions and settings. */
    public static Spec of(Object runtime) {
      if (!(runtime instanceof Map<?, ?> entries)) {
        return new Spec(Map.of(), Map.of(), Optional.of(runtime));
      }
      var versions = new LinkedHashMap<String, Object>();
      var settings = new LinkedHashMap<String, Object>();
      entries.forEach(
          (key, value) ->
              (VERSION.matcher((String) key).matches() ? versions : settings)
                  .put((String) key, value));
      return new Spec(versions, settings, Optional.empty());
    }

    /** The scheduler's input {@code runtime[role]}: the inverse of {@link #of}. */
    public Object runtime() {
      if (value.isPresent()) {
        return value.get();
      }
      var all = new LinkedHashMap<String, Object>(settings);
      all.putAll(versions);
      return Json.freeze(all);
    }
  }

  /**
   * The state of the configuration.
   *
   * @param versions names of the versions, oldest first
   */
  public record Status(long observedGeneration, List<String> versions, List<Condition> conditions)
      implements Conditioned<Status> {
    public Status {
      versions = List.copyOf(versions);
      conditions = List.copyOf(conditions);
    }

    @Override
    public Status withConditions(List<Condition> conditions) {
      return new Status(observedGeneration, versions, conditions);
    }
  }

  private RoleConfig() {}
}
