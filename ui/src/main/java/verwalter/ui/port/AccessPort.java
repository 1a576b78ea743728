package verwalter.ui.port;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import verwalter.access.AuditEntry;
import verwalter.model.AccessRule.Grant;

/**
 * How callers are known, and where their requests are recorded.
 *
 * @param anonymous the grant of callers without a credential; empty for none
 * @param everywhere whether that holds for callers of other machines too, and not only on loopback
 * @param owner the user of the agent, who is an admin on the unix socket, as root is
 * @param members whether others may connect to the unix socket, who are operators
 * @param audit records writes and refused requests; called on the loop, never blocks
 * @param auditLog the directory of the audit log; empty if there is none
 */
public record AccessPort(
    Optional<Grant> anonymous,
    boolean everywhere,
    String owner,
    boolean members,
    Consumer<AuditEntry> audit,
    Optional<Path> auditLog) {

  /** Anonymous callers of this machine are operators; nothing is recorded. */
  public static final AccessPort OPERATORS =
      new AccessPort(
          Optional.of(Grant.OPERATOR), false, "root", false, entry -> {}, Optional.empty());
}
