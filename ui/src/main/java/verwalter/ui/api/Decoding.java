package verwalter.ui.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.model.codec.Codec;
import verwalter.model.json.DecodeException;
import verwalter.ui.http.RequestProblem;

/** Parses objects that clients send. */
final class Decoding {

  /**
   * Parses an object of the kind.
   *
   * @throws RequestProblem 422 naming every invalid field
   */
  static <S, T> Resource<S, T> read(Kind<S, T> kind, ObjectNode tree) {
    try {
      return Codec.read(tree, kind);
    } catch (DecodeException e) {
      throw RequestProblem.invalid(
          kind,
          tree.path("metadata").path("name").asText(""),
          e.problems().stream().map(Decoding::cause).toList());
    }
  }

  private static RequestProblem.Cause cause(verwalter.model.json.Problem problem) {
    var message =
        problem.message()
            + problem.suggestion().map(name -> "; did you mean \"" + name + "\"?").orElse("");
    return new RequestProblem.Cause("FieldValueInvalid", message, problem.path());
  }

  private Decoding() {}
}
