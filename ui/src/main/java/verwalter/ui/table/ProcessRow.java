package verwalter.ui.table;

import verwalter.model.ProcessGroup;

/** One process of a group, where they are shown one by one. */
public record ProcessRow(String node, ProcessGroup.Slot slot) {}
