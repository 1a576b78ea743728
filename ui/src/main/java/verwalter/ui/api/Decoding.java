package verwalter.ui.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import verwalter.model.Codec;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.ui.http.Problem;
import verwalter.ui.http.Wire;

/** Reads an object that a client wrote. */
final class Decoding {

  /**
   * Reads an object of that kind.
   *
   * @throws Problem 422 naming every field that is wrong
   */
  @SuppressWarnings("unchecked") // the kind was put into the tree
  static <S, T> Resource<S, T> read(Kind<S, T> kind, ObjectNode tree) {
    try {
      return (Resource<S, T>) Codec.fromJson(Wire.json(tree).getBytes());
    } catch (IOException | RuntimeException e) {
      throw Problem.invalid(
          kind,
          tree.path("metadata").path("name").asText(""),
          "",
          String.valueOf(e.getMessage()));
    }
  }

  private Decoding() {}
}
