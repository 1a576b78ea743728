package verwalter.ui.table;

import java.util.List;
import verwalter.model.Event;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.ui.table.Column.Form;
import verwalter.ui.table.Health.Tone;

/** The columns of events. */
final class EventColumns {
  static final List<Column<Resource<Event.Spec, Kind.None>>> ALL =
      List.of(
          Column.of("Last", Form.AGE, "Time since it last happened.", it -> it.spec().last()),
          Column.of(
              "Type",
              Form.STATE,
              "Whether an operator should look.",
              it ->
                  it.spec().type() == Event.Type.WARNING
                      ? new Health(Tone.WARN, "Warning")
                      : new Health(Tone.QUIET, "Normal")),
          Column.of("Reason", Form.TEXT, "What happened.", it -> it.spec().reason()),
          Column.of(
              "Object", Form.TEXT, "What it happened to.", it -> it.spec().regarding().toString()),
          Column.of(
              "Count", Form.NUMBER, "Number of occurrences in a row.", it -> it.spec().count()),
          Column.of("Message", Form.PROSE, "The whole message.", it -> it.spec().message()),
          Column.wide("Name", Form.NAME, "Name of the event.", Resource::name),
          Column.wide("First", Form.AGE, "Time since it first happened.", it -> it.spec().first()),
          Column.wide(
              "Reporter", Form.TEXT, "Component that reported it.", it -> it.spec().reporter()));

  private EventColumns() {}
}
