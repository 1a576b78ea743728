package verwalter.ui.table;

import verwalter.model.ProcessGroup;

/** One process of a group. */
public record ProcessRow(String node, ProcessGroup.Slot slot) {}
