package verwalter.artifacts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DigestTest {
  private static final String HEX =
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

  @Test
  void isReadAsItIsWritten() throws ArtifactException {
    assertThat(Digest.parse("sha256:" + HEX)).hasToString("sha256:" + HEX);
    assertThat(Digest.of(Sha256.start().digest()).hex()).isEqualTo(HEX);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "xyz",
        "",
        "sha256:",
        HEX,
        "sha512:" + HEX,
        "SHA256:" + HEX,
        "sha256:" + HEX + "0",
        " sha256:" + HEX,
        "sha256:" + HEX + "\n",
        "sha256:E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855"
      })
  void s06MalformedDigestIsAPermanentError(String text) {
    assertThatThrownBy(() -> Digest.parse(text))
        .isInstanceOfSatisfying(
            ArtifactException.class,
            it -> {
              assertThat(it.reason()).isEqualTo(ArtifactException.Reason.BAD_DIGEST);
              assertThat(it.isTransient()).isFalse();
              assertThat(it).hasMessageContaining("64 hexadecimal digits");
            });
  }
}
