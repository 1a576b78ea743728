package verwalter.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import verwalter.metrics.Exposition.Said;

class ExpositionReaderTest {
  private static final String PROMETHEUS =
      """
      # HELP http_requests_total The total number of HTTP requests.
      # TYPE http_requests_total counter
      http_requests_total{method="post",code="200"} 1027 1395066363000
      http_requests_total{method="post",code="400"}    3 1395066363000

      # Escaping in label values:
      msdos_file_access_time_seconds{path="C:\\\\DIR\\\\FILE.TXT",error="Cannot find file:\\n\\"FILE.TXT\\""} 1.458255915e9
      metric_without_timestamp_and_labels 12.47
      something_weird{problem="division by zero"} +Inf -3982045
      # TYPE http_request_duration_seconds histogram
      http_request_duration_seconds_bucket{le="0.05"} 24054
      http_request_duration_seconds_bucket{le="+Inf"} 144320
      http_request_duration_seconds_sum 53423
      http_request_duration_seconds_count 144320
      # TYPE rpc_duration_seconds summary
      rpc_duration_seconds{ quantile = "0.01" , } 3102
      rpc_duration_seconds_sum 1.7560473e+07
      rpc_duration_seconds_count 2693
      """;

  private static final String OPENMETRICS =
      """
      # TYPE foo counter
      # UNIT foo seconds
      foo_total 17.0 1520879607.789 # {trace_id="KOO5S4vxi0o"} 0.67
      foo_created 1520430000.123
      # TYPE up gauge
      up 1
      # TYPE build info
      build_info{version="8.2.7"} 1
      # TYPE nothing unknown
      nothing NaN
      # EOF
      not read any more
      """;

  private static Exposition read(String text) {
    return ExpositionReader.read(text);
  }

  @Test
  void theExampleOfPrometheusIsRead() {
    var read = read(PROMETHEUS);

    assertThat(read.problem()).isEmpty();
    assertThat(read.samples())
        .containsExactly(
            new Said("http_requests_total", Map.of("method", "post", "code", "200"), true, 1027),
            new Said("http_requests_total", Map.of("method", "post", "code", "400"), true, 3),
            new Said(
                "msdos_file_access_time_seconds",
                Map.of("path", "C:\\DIR\\FILE.TXT", "error", "Cannot find file:\n\"FILE.TXT\""),
                false,
                1.458255915e9),
            new Said("metric_without_timestamp_and_labels", Map.of(), false, 12.47),
            new Said(
                "something_weird",
                Map.of("problem", "division by zero"),
                false,
                Double.POSITIVE_INFINITY),
            new Said("http_request_duration_seconds_bucket", Map.of("le", "0.05"), true, 24054),
            new Said("http_request_duration_seconds_bucket", Map.of("le", "+Inf"), true, 144320),
            new Said("http_request_duration_seconds_sum", Map.of(), true, 53423),
            new Said("http_request_duration_seconds_count", Map.of(), true, 144320),
            new Said("rpc_duration_seconds", Map.of("quantile", "0.01"), false, 3102),
            new Said("rpc_duration_seconds_sum", Map.of(), true, 1.7560473e7),
            new Said("rpc_duration_seconds_count", Map.of(), true, 2693));
  }

  @Test
  void openMetricsIsReadToItsEnd() {
    assertThat(read(OPENMETRICS).samples())
        .containsExactly(
            new Said("foo_total", Map.of(), true, 17),
            new Said("up", Map.of(), false, 1),
            new Said("build_info", Map.of("version", "8.2.7"), false, 1),
            new Said("nothing", Map.of(), false, Double.NaN));
    assertThat(read(OPENMETRICS).malformed()).isZero();
  }

  @Test
  void aMalformedLineIsReportedAndOthersAreRead() {
    var read =
        read("a 1\nb{x=} 2\nc{x=\"y\" 3\n{} 4\nd\ne twelve\nf 0x10\ng{x=\"1\",x=\"2\"} 1\nh 5\r\n");

    assertThat(read.samples()).extracting(Said::name).containsExactly("a", "h");
    assertThat(read.malformed()).isEqualTo(7);
    assertThat(read.problem()).isEqualTo("line 2 lacks \" at column 5");
  }

  @Test
  void inputIsLimited() {
    var longName = "x".repeat(300) + " 1\n";
    var longValue = "a{x=\"" + "y".repeat(600) + "\"} 1\n";
    var manyLabels = new StringBuilder("a{");
    for (int i = 0; i < 50; i++) {
      manyLabels.append("l").append(i).append("=\"\",");
    }
    var longLine = "a " + "1".repeat(70_000) + "\n";
    var read = read(longName + longValue + manyLabels + "} 1\n" + longLine + "ok 1\n");
    assertThat(read.samples()).extracting(Said::name).containsExactly("ok");
    assertThat(read.malformed()).isEqualTo(4);

    var many = new StringBuilder();
    for (int i = 0; i < 10_005; i++) {
      many.append("m").append(i).append(" 1\n");
    }
    assertThat(read(many.toString()).samples()).hasSize(10_000);
    assertThat(read(many.toString()).leftOff()).isEqualTo(5);
    assertThat(read(many.toString()).problem()).contains("first 10000").contains("5 are left out");
  }

  /** A good text with random damage never makes it fail, and lines without damage still count. */
  @Property(tries = 2000)
  void damageAffectsOnlyItsLine(@ForAll @LongRange(min = 0, max = 1L << 40) long seed) {
    var random = new Random(seed);
    var text = new StringBuilder(PROMETHEUS);
    for (int i = random.nextInt(6); i >= 0; i--) {
      int at = random.nextInt(text.length());
      switch (random.nextInt(3)) {
        case 0 -> text.deleteCharAt(at);
        case 1 -> text.insert(at, "{}\"\\=, \n#\u0000é".charAt(random.nextInt(11)));
        default -> text.setCharAt(at, (char) random.nextInt(300));
      }
    }

    var read = read(text.append("\nlast_one 1\n").toString());

    if (!text.toString().contains("# EOF\n")) {
      assertThat(read.samples()).extracting(Said::name).contains("last_one");
    }
    assertThat(read.samples().size()).isLessThanOrEqualTo(30);
    assertThat(read.malformed() == 0).isEqualTo(read.problem().isEmpty());
  }

  /** A valid text is read without changes. */
  @Property
  void anyLabelValueSurvives(@ForAll String value) {
    var escaped = value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    if (value.length() <= 512) {
      assertThat(read("m{l=\"" + escaped + "\"} 1").samples())
          .containsExactly(new Said("m", Map.of("l", value), false, 1));
    }
  }
}
