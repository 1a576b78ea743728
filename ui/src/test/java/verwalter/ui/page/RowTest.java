package verwalter.ui.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RowTest {
  private static String html(Section section, String id, String name) {
    var cells = new ArrayList<Optional<Object>>();
    cells.add(Optional.of(name));
    while (cells.size() < section.columns().size()) {
      cells.add(Optional.empty());
    }
    return new Row(section, id, id, cells).html(Instant.EPOCH);
  }

  @Test
  void aProcessLeadsToItsLog() {
    assertThat(html(Section.PROCESSES, "processes/shop/web.0@n1 & co", "shop/web.0"))
        .contains(
            "<a href=\"/v1/logs/shop/web.0?node=n1+%26+co&amp;tailLines=200&amp;follow=true\">"
                + "shop/web.0</a>");
  }

  @Test
  void otherRowsLeadNowhere() {
    assertThat(html(Section.EVENTS, "events/a@b", "a@b")).doesNotContain("<a ");
  }
}
