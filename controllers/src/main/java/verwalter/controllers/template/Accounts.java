package verwalter.controllers.template;

import java.util.List;
import java.util.Optional;

/** The users of this machine that programs may run as. May block. */
public interface Accounts {
  /**
   * The ids of a user.
   *
   * @param user user id
   * @param groups group ids, the primary group first
   */
  record Account(long user, List<Long> groups) {
    public Account {
      groups = List.copyOf(groups);
    }
  }

  /**
   * The account of programs that name no user. Empty if they run as the agent's own user; a root
   * agent runs nothing as root unless a file says so.
   *
   * @throws Unknown if it does not exist
   */
  Optional<Account> standard() throws Unknown;

  /**
   * The account with this name or number.
   *
   * @throws Unknown if there is none, or this agent cannot run programs as that user
   */
  Account find(String user) throws Unknown;

  /**
   * The account with these supplementary groups in place of its own.
   *
   * @param account the account; empty for the agent's own
   * @param groups names or numbers of groups
   * @throws Unknown if a group does not exist, or this agent cannot run programs with it
   */
  Account with(Optional<Account> account, List<String> groups) throws Unknown;

  /** An account cannot be used; the message has the reason, and what to do. */
  final class Unknown extends Exception {
    private static final long serialVersionUID = 1;

    public Unknown(String message) {
      super(message, null, false, false);
    }
  }
}
