package verwalter.model.service;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import verwalter.model.codec.Described;

/**
 * The programs of a service: an archive, which each node fetches, verifies and unpacks before it
 * starts a process of the revision, or a directory, which is used in place.
 *
 * @param url a URL of an archive, or an absolute path
 * @param sha256 the SHA-256 of the archive; absent for a directory
 */
public record ServiceImage(
    @Described(
            value = "the archive, as file:, http: or https:, or the absolute path of a directory",
            pattern = ServiceImage.URLS,
            least = 1)
        String url,
    @Described(
            value = "the SHA-256 of the archive, in hexadecimal digits; none for a directory",
            pattern = ServiceImage.DIGESTS,
            unless = "url",
            matches = ServiceImage.DIRECTORIES)
        Optional<String> sha256) {
  static final String URLS = "(https?://.+|file:/.+|/.*)";
  static final String DIRECTORIES = "/(?!.*\\.(tar|tar\\.gz|tgz|tar\\.zst|zip)$).*";
  static final String DIGESTS = "(sha256:)?[0-9a-fA-F]{64}";
  private static final int LONGEST = 4096;
  private static final Pattern URL = Pattern.compile(URLS);
  private static final Pattern DIRECTORY = Pattern.compile(DIRECTORIES);
  private static final Pattern DIGEST = Pattern.compile(DIGESTS);

  public ServiceImage {
    if (url.isEmpty()) {
      throw new IllegalArgumentException("url is missing; write url: \"file:/srv/shop.tar.gz\"");
    }
    if (url.length() > LONGEST || url.indexOf('\0') >= 0 || !URL.matcher(url).matches()) {
      throw new IllegalArgumentException(
          "url must begin with file:/, http:// or https://, or be an absolute path, not " + url);
    }
    if (sha256.isPresent() && !DIGEST.matcher(sha256.get()).matches()) {
      throw new IllegalArgumentException(
          "sha256 must be 64 hexadecimal digits in quotes, as sha256sum prints them, not "
              + sha256.get());
    }
    if (sha256.isEmpty() && !DIRECTORY.matcher(url).matches()) {
      throw new IllegalArgumentException(
          "sha256 is missing; an archive needs the digits that sha256sum prints");
    }
  }

  /** This in the words of the metadata of a version. */
  Map<String, Object> json() {
    var json = new LinkedHashMap<String, Object>();
    json.put("url", url);
    sha256.ifPresent(it -> json.put("sha256", it));
    return json;
  }
}
