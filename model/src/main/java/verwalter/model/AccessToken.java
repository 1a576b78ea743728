package verwalter.model;

import java.time.Instant;
import java.util.List;

/**
 * A bearer token of a caller. The object holds a hash of the token's secret. Deleting the object
 * revokes the token.
 */
public final class AccessToken {
  public static final Kind<Spec, Kind.None> KIND =
      Kind.of("AccessToken", "at", Spec.class, Kind.None.class)
          .in(Scope.CLUSTER)
          .specBy(Writer.OPERATOR);

  /**
   * The caller, and how the token is recognized.
   *
   * @param user name of the caller
   * @param groups groups of the caller; {@code verwalter:viewer}, {@code verwalter:operator} and
   *     {@code verwalter:admin} are what their names say
   * @param hash SHA-256 of the secret, lower-case hex
   * @param expires when the token becomes invalid
   */
  public record Spec(String user, List<String> groups, String hash, Instant expires) {
    public Spec {
      groups = List.copyOf(groups);
    }
  }

  private AccessToken() {}
}
