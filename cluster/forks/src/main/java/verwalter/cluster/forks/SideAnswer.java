package verwalter.cluster.forks;

/** What a member of a side answers to a {@link SideMessage}. */
public enum SideAnswer {
  /** The message was accepted, and what it contains is durable if it is a term or a copy. */
  DONE,
  /** The member cannot accept it now. The sender sends it again later. */
  LATER,
  /** The member will never accept it. */
  REFUSED,
  /** The member does not have the copy before this one. The sender sends a whole copy. */
  WHOLE
}
