package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the contents of the jars that the launchers run from. */
class ClassPathTest {
  private static final Pattern TEST_CODE =
      Pattern.compile(
          "verwalter/(.+/)?(testkit|logkit)/.*|org/(junit|assertj|awaitility)/.*|net/jqwik/.*");

  private static final Pattern NAME = Pattern.compile("(.+?)-\\d.*\\.jar");

  /**
   * The libraries of each program. A new one is a decision: is it needed, and who maintains it?
   * Vert.x links Netty's QUIC classes and its own authentication when it accepts a connection, and
   * its proxies when it opens one; Jinjava links Guava. The agent uses none of them itself.
   */
  private static final Map<String, String> LIBRARIES =
      Map.of(
          "agent",
          """
          aircompressor algebra asm asm-analysis asm-commons asm-tree asm-util audience-annotations
          bcpkix-jdk18on bcprov-jdk18on bcutil-jdk18on caffeine commons-io commons-lang3
          commons-text compiler failureaccess guava handlebars immutables-exceptions
          jackson-annotations jackson-core jackson-databind jackson-dataformat-yaml
          jackson-datatype-jdk8 jackson-datatype-jsr310 jgroups jinjava jspecify kubernetes-model-common
          kubernetes-model-core logback-classic logback-core metrics-core netty-buffer
          netty-codec-base netty-codec-classes-quic netty-codec-compression netty-codec-dns
          netty-codec-http netty-codec-http2 netty-common netty-handler netty-handler-proxy
          netty-resolver netty-resolver-dns netty-transport netty-transport-classes-epoll
          netty-transport-native-unix-common picocli re2j runtime slf4j-api snakeyaml snappy-java
          vertx-auth-common vertx-core vertx-core-logging vertx-web vertx-web-common wasm
          zookeeper zookeeper-jute
          """,
          "vw",
          """
          asm asm-analysis asm-commons asm-tree asm-util compiler jackson-annotations jackson-core
          jackson-databind jackson-datatype-jdk8 jackson-datatype-jsr310 jspecify kubernetes-model-common
          kubernetes-model-core picocli runtime slf4j-api snakeyaml wasm
          """,
          "luaj",
          "luaj-jse");

  @BeforeAll
  static void build() throws Exception {
    var build = new ProcessBuilder(LaunchedAgent.HOME.resolve("verwalter").toString(), "--version");
    assertThat(build.redirectErrorStream(true).start().waitFor()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "agent, verwalter/agent/Main.class",
    "vw, verwalter/cli/Vw.class",
    "luaj, verwalter/scheduler/lua/luaj/LuajEngine.class",
  })
  void holdsNoTestCode(String program, String expected) throws IOException {
    var classes = new TreeSet<String>();
    for (var jar : jars(program)) {
      try (var file = new JarFile(jar.toFile())) {
        file.stream().forEach(entry -> classes.add(entry.getName()));
      }
    }
    assertThat(classes).contains(expected);
    assertThat(classes).filteredOn(TEST_CODE.asMatchPredicate()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"agent", "vw", "luaj"})
  void holdsListedLibrariesOnly(String program) throws IOException {
    var libraries = new TreeSet<String>();
    for (var jar : jars(program)) {
      var name = NAME.matcher(jar.getFileName().toString());
      assertThat(name.matches()).as("%s", jar).isTrue();
      if (!isOurs(jar)) {
        libraries.add(name.group(1));
      }
    }
    var listed = Objects.requireNonNull(LIBRARIES.get(program)).strip().split("\\s+");
    assertThat(libraries).containsExactly(listed);
  }

  /** Otherwise the first start of a clone fetches libraries that only tests need. */
  @Test
  void buildRunsNeitherTestsNorTestKits() throws IOException {
    var log = Files.readString(LaunchedAgent.HOME.resolve(".dist/build.log"));
    assertThat(log).contains("maven-compiler-plugin").contains("Building agent ");
    assertThat(log).doesNotContain("kit 0.", "maven-surefire-plugin", ":testCompile", ":test-jar");
  }

  private static boolean isOurs(Path jar) throws IOException {
    try (var file = new JarFile(jar.toFile())) {
      return file.stream().anyMatch(entry -> entry.getName().startsWith("verwalter/"));
    }
  }

  /** The jars of a program: {@code agent}, {@code vw} or {@code luaj}. */
  static List<Path> jars(String program) throws IOException {
    try (var jars = Files.list(LaunchedAgent.HOME.resolve(".dist/lib").resolve(program))) {
      return jars.toList();
    }
  }
}
