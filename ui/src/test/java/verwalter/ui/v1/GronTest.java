package verwalter.ui.v1;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

final class GronTest {
  @Test
  void printsLineForEveryValue() throws Exception {
    var tree =
        new ObjectMapper()
            .readTree(
                "{\"a\":[1,{\"b-c\":null}],\"t\":\"it's \\\"x\\\"\\n\\u007f\",\"f\":1.0,\"z\":true}");
    assertThat(Gron.text(tree))
        .isEqualTo(
            """
            json = {}
            json.a = []
            json.a[0] = 1
            json.a[1] = {}
            json.a[1].b-c = null
            json.t = "it\\'s \\"x\\"\\n\\u{7f}"
            json.f = 1.0
            json.z = true
            """);
  }
}
