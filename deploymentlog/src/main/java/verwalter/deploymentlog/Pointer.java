package verwalter.deploymentlog;

import java.util.List;
import verwalter.model.json.Json;

/** The position of the text of an index line. */
sealed interface Pointer {

  /** The name of this kind of position in the index. */
  String variant();

  /** The fields of the position, in the order of the index. */
  List<Object> fields();

  /** The form in the index: the variant comes first. */
  default String json() {
    return "{\"variant\":%s,\"fields\":%s}"
        .formatted(Json.canonical(variant()), Json.canonical(fields()));
  }

  /** In the log of deployments. */
  record Global(String segment, long offset) implements Pointer {
    @Override
    public String variant() {
      return "Global";
    }

    @Override
    public List<Object> fields() {
      return List.of(segment, offset);
    }
  }

  /** In the log of changes. */
  record Changes(String segment, long offset) implements Pointer {
    @Override
    public String variant() {
      return "Changes";
    }

    @Override
    public List<Object> fields() {
      return List.of(segment, offset);
    }
  }

  /** In the log of a role. */
  record Role(String role, String segment, long offset) implements Pointer {
    @Override
    public String variant() {
      return "Role";
    }

    @Override
    public List<Object> fields() {
      return List.of(role, segment, offset);
    }
  }

  /**
   * In a file of another program.
   *
   * @param path a name of the sandbox's {@code log-dirs}, a slash, and the path below it
   * @param size the length of the file at that time
   */
  record External(String path, long size) implements Pointer {
    @Override
    public String variant() {
      return "External";
    }

    @Override
    public List<Object> fields() {
      return List.of(path, size);
    }
  }
}
