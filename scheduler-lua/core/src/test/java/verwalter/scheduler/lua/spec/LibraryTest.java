package verwalter.scheduler.lua.spec;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import verwalter.model.Scheduler.Failed;
import verwalter.scheduler.lua.Budget;
import verwalter.scheduler.lua.Code;
import verwalter.scheduler.lua.Program;

/** The specs of Verwalter's Lua modules, in src/test/lua. */
class LibraryTest {
  private static final Code CODE = Code.read(Path.of("src/test/lua"));

  @TestFactory
  Stream<DynamicNode> specs() {
    return SpecFile.paths(CODE).stream().map(LibraryTest::container);
  }

  private static DynamicNode container(String path) {
    try {
      var file = SpecFile.read(CODE, path, Budget.DEFAULT, Program.THREADS);
      return DynamicContainer.dynamicContainer(
          path, file.specs().stream().map(spec -> test(file, spec)).onClose(file::close));
    } catch (Failed failed) {
      return DynamicTest.dynamicTest(
          path, () -> Assertions.fail(failed.getMessage() + "\n" + failed.log()));
    }
  }

  private static DynamicTest test(SpecFile file, Spec spec) {
    return DynamicTest.dynamicTest(
        spec.name(),
        () -> file.run(spec).failure().ifPresent(failure -> Assertions.fail(text(failure))));
  }

  private static String text(Spec.Failure failure) {
    return failure.place().orElse("?")
        + ": "
        + failure.message()
        + "\nexpected: "
        + failure.expected().orElse("")
        + "\nactual:   "
        + failure.actual().orElse("")
        + "\n"
        + failure.differences()
        + "\n"
        + failure.trace();
  }
}
