package verwalter.supervisor.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SlotTableTest {
  private final SlotTable table = new SlotTable();

  private static SlotState slot(String name) {
    return SlotState.fresh(name, Instant.EPOCH);
  }

  private static List<String> names(List<SlotState> slots) {
    return slots.stream().map(SlotState::slot).toList();
  }

  @BeforeEach
  void fill() {
    table.put(slot("shop/web.10"));
    table.put(slot("shop/web.2"));
    table.put(slot("shop/api.7"));
    table.put(slot("mail/web.0"));
  }

  @Test
  void listsTheSlotsOfAGroupByProcessAndNumber() {
    assertThat(names(table.of("shop"))).containsExactly("shop/api.7", "shop/web.2", "shop/web.10");
    assertThat(table.of("none")).isEmpty();
  }

  @Test
  void listsAllSlots() {
    assertThat(names(table.all().toList()))
        .containsExactly("mail/web.0", "shop/api.7", "shop/web.2", "shop/web.10");
  }

  @Test
  void findsASlotByItsName() {
    assertThat(table.find("shop/web.2")).isEqualTo(slot("shop/web.2"));
    assertThat(table.find("shop/web.3")).isNull();
    assertThat(table.find("none/web.2")).isNull();
  }

  @Test
  void replacesASlot() {
    var later = SlotState.fresh("shop/web.2", Instant.EPOCH.plusSeconds(1));
    table.put(later);
    assertThat(table.find("shop/web.2")).isEqualTo(later);
    assertThat(table.of("shop")).hasSize(3);
  }

  @Test
  void forgetsAGroupWithItsLastSlot() {
    assertThat(table.groups()).containsExactlyInAnyOrder("mail", "shop");
    table.remove("shop/web.2");
    assertThat(names(table.of("shop"))).containsExactly("shop/api.7", "shop/web.10");
    assertThat(table.groups()).containsExactlyInAnyOrder("mail", "shop");
    table.remove("mail/web.0");
    assertThat(table.groups()).containsExactly("shop");
    table.remove("none/web.0");
    assertThat(table.all()).hasSize(2);
  }
}
