package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.controllers.template.Accounts;
import verwalter.controllers.template.Accounts.Account;
import verwalter.controllers.template.Accounts.Unknown;

/** Tests users and groups of files in the format of {@code /etc}. */
class LocalAccountsTest {
  @TempDir Path etc;

  @BeforeEach
  void files() throws IOException {
    Files.writeString(
        etc.resolve("passwd"),
        """
        root:x:0:0:root:/root:/bin/bash
        shop:x:1000:1000::/srv:/bin/sh
        odd:x:many:1::/:/bin/sh
        short
        nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
        """);
    Files.writeString(
        etc.resolve("group"), "shop:x:1000:\nssl-cert:x:110:proxy,shop\nother:x:3:shopper\n");
  }

  private Accounts of(long own) {
    return new LocalAccounts(etc, own);
  }

  @Test
  void aRootAgentRunsNothingAsRootByItself() throws Unknown {
    assertThat(of(0).standard()).contains(new Account(65534, List.of(65534L)));
    assertThat(of(1000).standard()).isEmpty();
    assertThat(of(0).find("root").user()).isZero();
  }

  @Test
  void usersAreFoundByNameAndNumberWithTheirGroups() throws Unknown {
    var shop = new Account(1000, List.of(1000L, 110L));
    assertThat(of(0).find("shop")).isEqualTo(shop);
    assertThat(of(0).find("1000")).isEqualTo(shop);
    assertThat(of(1000).find("shop")).isEqualTo(shop);
    assertThat(of(0).find("4711")).isEqualTo(new Account(4711, List.of(4711L)));
  }

  @Test
  void errorsSayWhatToDo() throws IOException {
    assertThatThrownBy(() -> of(0).find("ghost"))
        .hasMessage(
            "there is no user ghost on this machine; create it: adduser --system --group ghost");
    assertThatThrownBy(() -> of(1000).find("nobody")).hasMessageContaining("run the agent as root");
    assertThatThrownBy(() -> of(0).find("odd")).hasMessageContaining("is broken");
    Files.delete(etc.resolve("passwd"));
    assertThatThrownBy(() -> of(0).standard()).hasMessageContaining("passwd cannot be read");
  }
}
