package verwalter.metrics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The intermediate or final result of a rule.
 *
 * @param tips whether each item has one value instead of a series
 * @param single whether all series were added to one item
 * @param items one for each series or for each sum
 */
record Dataset(boolean tips, boolean single, List<Item> items) {
  /** The largest number up to which all integers are exact doubles. */
  private static final double EXACT = 1L << 53;

  Dataset {
    items = List.copyOf(items);
  }

  /**
   * A series of a result.
   *
   * @param values newest first; NaN is missing
   * @param timestamps times of the values; for a tip the newer and the older one
   * @param whole whether integers are shown without a decimal point
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  record Item(Labels key, double[] values, long[] timestamps, boolean whole, Movement movement) {}

  /** The number of values. */
  int size() {
    return items.stream().mapToInt(item -> item.values().length).sum();
  }

  Dataset derived() {
    var derived = new ArrayList<Item>();
    for (var item : items) {
      int left = Math.max(0, item.values().length - 1);
      var times = item.timestamps();
      var growth =
          item.movement().counter()
              ? Rate.steps(item.values(), times)
              : Arrays.stream(Rate.changes(item.values(), times))
                  .map(change -> change < 0 ? Double.NaN : change)
                  .toArray();
      derived.add(new Item(item.key(), growth, Arrays.copyOf(times, left), false, item.movement()));
    }
    return new Dataset(tips, single, derived);
  }

  Dataset summed() {
    return items.size() <= 1
        ? new Dataset(tips, true, items)
        : new Dataset(tips, true, List.of(sum(Labels.NONE, items)));
  }

  /** Returns a sum for each value of a label. Series without the label are omitted. */
  Dataset summedBy(String label, boolean total) {
    var groups = new java.util.TreeMap<String, List<Item>>();
    for (var item : items) {
      var value = item.key().get(label);
      if (value != null) {
        groups.computeIfAbsent(value, first -> new ArrayList<>()).add(item);
      }
    }
    var sums = new ArrayList<Item>();
    groups.forEach((value, group) -> sums.add(sum(Labels.of(Map.of(label, value)), group)));
    if (total && groups.size() >= 2) {
      sums.add(sum(Labels.NONE, groups.values().stream().flatMap(List::stream).toList()));
    }
    return new Dataset(tips, single, sums);
  }

  private Item sum(Labels key, List<Item> of) {
    var times = of.get(0).timestamps();
    if (tips) {
      times =
          new long[] {
            of.stream().mapToLong(item -> item.timestamps()[0]).max().orElse(0),
            of.stream().mapToLong(item -> item.timestamps()[1]).min().orElse(0)
          };
    }
    return new Item(
        key,
        Sums.of(of.stream().map(Item::values).toList()),
        times,
        of.stream().allMatch(Item::whole),
        Movement.sum(of.stream().map(Item::movement).toList()));
  }

  /** The form for schedulers. */
  Map<String, Object> shown() {
    var shown = new LinkedHashMap<String, Object>();
    shown.put("type", (single ? "single_" : "multi_") + (tips ? "tip" : "series"));
    if (single) {
      show(items.get(0), shown);
    } else {
      shown.put(
          "items",
          items.stream()
              .map(
                  item -> {
                    var each = new LinkedHashMap<String, Object>();
                    show(item, each);
                    return each;
                  })
              .toList());
    }
    return shown;
  }

  /** A single newest value for display. */
  static Map<String, Object> tip(Item item) {
    var shown = new LinkedHashMap<String, Object>();
    new Dataset(true, false, List.of(item)).show(item, shown);
    return shown;
  }

  private void show(Item item, Map<String, Object> in) {
    in.put("key", item.key().map());
    if (!tips) {
      in.put(
          "values",
          Arrays.stream(item.values())
              .mapToObj(item.whole() ? Dataset::number : Dataset::real)
              .toList());
      in.put("timestamps", Arrays.stream(item.timestamps()).boxed().toList());
    } else {
      double value = item.values()[0];
      var shown = item.whole() ? number(value) : real(value);
      if (shown != null) {
        in.put("value", shown);
      }
      if (single) {
        in.put("old_timestamp", item.timestamps()[1]);
        in.put("new_timestamp", item.timestamps()[0]);
      } else {
        in.put("timestamp", item.timestamps()[0]);
      }
    }
    item.movement().addTo(in);
  }

  private static @Nullable Object number(double value) {
    return value == Math.rint(value) && Math.abs(value) <= EXACT
        ? (Object) (long) value
        : real(value);
  }

  private static @Nullable Object real(double value) {
    return Double.isFinite(value) ? (Object) value : null;
  }
}
