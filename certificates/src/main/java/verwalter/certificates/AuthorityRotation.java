package verwalter.certificates;

import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The replacement of the authority of a cluster by a new one, while members go on trusting each
 * other. The cluster stores the phase; members do the {@link Task}s of the phase until there are
 * none. Each task can be repeated, and the phase advances only when no member has a task left, so
 * members that lag behind are waited for. Pure.
 *
 * <ol>
 *   <li>{@link Phase#DISTRIBUTE}: everybody trusts both authorities, and the electors get the key
 *       of the new one. The old one still issues certificates.
 *   <li>{@link Phase#RENEW}: the electors issue certificates of the new authority, and every node
 *       renews its certificate. Everybody trusts both.
 *   <li>{@link Phase#RETIRE}: everybody trusts the new authority only.
 *   <li>{@link Phase#DONE}.
 * </ol>
 *
 * @param old the certificate of the authority that is replaced
 * @param next the certificate of the new one
 */
public record AuthorityRotation(Phase phase, X509Certificate old, X509Certificate next) {
  /** The phases, in order. */
  public enum Phase {
    DISTRIBUTE,
    RENEW,
    RETIRE,
    DONE
  }

  /** What one member has to do. */
  public enum Task {
    /** Install {@link #trust}. */
    TRUST,
    /** Get the key of the new authority from an elector that has it. */
    FETCH_KEY,
    /** Issue certificates of the new authority from now on: {@link Pki#promoteAuthority}. */
    PROMOTE,
    /** Renew the own certificate at an elector that has promoted the new authority. */
    RENEW
  }

  /**
   * What a member reports.
   *
   * @param node its name
   * @param elector whether it is an elector
   * @param trusted the authorities that it trusts
   * @param issuer the authority of its certificate
   * @param issues the authority with which it issues certificates
   * @param prepared the authority with which it will issue certificates
   */
  public record Progress(
      String node,
      boolean elector,
      TrustBundle trusted,
      X509Certificate issuer,
      Optional<X509Certificate> issues,
      Optional<X509Certificate> prepared) {}

  /** The authorities that members trust in this phase. */
  public TrustBundle trust() {
    return new TrustBundle(
        switch (phase) {
          case DISTRIBUTE, RENEW -> List.of(old, next);
          case RETIRE, DONE -> List.of(next);
        });
  }

  /** The next task of a member; empty if it has none in this phase. */
  public Optional<Task> task(Progress member) {
    if (!member.trusted().equals(trust()) && (phase != Phase.RETIRE || isRenewed(member))) {
      return Optional.of(Task.TRUST);
    }
    boolean issues = member.issues().filter(next::equals).isPresent();
    if (member.elector() && !issues) {
      return member.prepared().filter(next::equals).isEmpty()
          ? Optional.of(Task.FETCH_KEY)
          : phase == Phase.DISTRIBUTE ? Optional.empty() : Optional.of(Task.PROMOTE);
    }
    return phase == Phase.DISTRIBUTE || isRenewed(member)
        ? Optional.empty()
        : Optional.of(Task.RENEW);
  }

  private boolean isRenewed(Progress member) {
    return member.issuer().equals(next);
  }

  /** The members for which this phase waits. */
  public List<String> waitingFor(Collection<Progress> members) {
    return members.stream()
        .filter(it -> task(it).isPresent())
        .map(Progress::node)
        .sorted()
        .toList();
  }

  /**
   * The next phase if all members have done their tasks, else this one.
   *
   * @param members the reports of all members; a member that does not report must not be left out
   */
  public AuthorityRotation advanced(Collection<Progress> members) {
    if (!waitingFor(members).isEmpty()) {
      return this;
    }
    var following =
        switch (phase) {
          case DISTRIBUTE -> Phase.RENEW;
          case RENEW -> Phase.RETIRE;
          case RETIRE, DONE -> Phase.DONE;
        };
    return new AuthorityRotation(following, old, next);
  }
}
