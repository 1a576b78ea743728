package verwalter.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * A rule that lets callers of the API do something. Rules only allow: what no rule allows is
 * refused.
 */
public final class AccessRule {
  public static final Kind<Spec, Kind.None> KIND =
      Kind.of("AccessRule", "ar", Spec.class, Kind.None.class)
          .in(Scope.CLUSTER)
          .specBy(Writer.OPERATOR);

  /** What a caller may do, in ascending order: each grant includes those before it. */
  public enum Grant {
    /** Read everything except access tokens. */
    @JsonProperty("viewer")
    VIEWER("viewer"),
    /** Change objects that name no command, user, secret or access rule, and send actions. */
    @JsonProperty("operator")
    OPERATOR("operator"),
    /** Everything. */
    @JsonProperty("admin")
    ADMIN("admin");

    private final String word;

    Grant(String word) {
      this.word = word;
    }

    /** The word in objects, flags and messages. */
    public String word() {
      return word;
    }
  }

  /** The kind of a subject. */
  public enum SubjectKind {
    /** One caller, by name. */
    @JsonProperty("User")
    USER,
    /** All callers of a group. */
    @JsonProperty("Group")
    GROUP
  }

  /**
   * Callers that a rule applies to.
   *
   * @param kind one caller or a group
   * @param name the name of the caller or of the group
   */
  public record Subject(SubjectKind kind, String name) {}

  /**
   * The callers, and what they may do.
   *
   * @param subjects the callers; the rule applies to those that any of the subjects names
   * @param grants the most that the rule allows
   * @param kinds kinds of objects and names of routes that the rule is limited to, such as {@code
   *     RoleConfig} or {@code logs}; empty for all
   * @param verbs verbs that the rule is limited to, such as {@code get} or {@code patch}; empty for
   *     all
   * @param roles names of roles whose objects the rule is limited to; an asterisk at the end stands
   *     for any rest; empty for all objects
   */
  public record Spec(
      List<Subject> subjects,
      Grant grants,
      List<String> kinds,
      List<String> verbs,
      List<String> roles) {
    public Spec {
      subjects = List.copyOf(subjects);
      kinds = List.copyOf(kinds);
      verbs = List.copyOf(verbs);
      roles = List.copyOf(roles);
    }
  }

  private AccessRule() {}
}
