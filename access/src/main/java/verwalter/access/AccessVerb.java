package verwalter.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a caller does with objects, as in Kubernetes. */
public enum AccessVerb {
  /** Read one object. */
  GET,
  /** Read all objects of a kind. */
  LIST,
  /** Follow the changes of a kind. */
  WATCH,
  /** Create an object. */
  CREATE,
  /** Replace an object. */
  UPDATE,
  /** Change parts of an object. */
  PATCH,
  /** Delete an object. */
  DELETE,
  /** Delete all objects of a kind, or those that a selector matches. */
  DELETECOLLECTION;

  /** The word in requests and rules, such as {@code get}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The verb of a word, ignoring case. */
  public static Optional<AccessVerb> of(String word) {
    return Arrays.stream(values()).filter(verb -> verb.name().equalsIgnoreCase(word)).findFirst();
  }

  /** Whether the verb only reads. */
  public boolean reads() {
    return this == GET || this == LIST || this == WATCH;
  }

  /** Whether the verb deletes objects. */
  public boolean deletes() {
    return this == DELETE || this == DELETECOLLECTION;
  }

  /** Whether the verb concerns all objects of a kind. */
  public boolean isOfAll() {
    return this == LIST || this == WATCH || this == DELETECOLLECTION;
  }
}
