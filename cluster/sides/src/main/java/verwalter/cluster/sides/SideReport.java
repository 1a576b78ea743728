package verwalter.cluster.sides;

import verwalter.cluster.View;

/**
 * What a member of a side tells the one that appoints the leader.
 *
 * @param member machine id
 * @param view the member's present view
 * @param epoch the largest epoch that the member has seen: in its log, its fork, or a promise
 * @param promise the term that the member accepted last
 * @param version the version of its copy of the cluster store
 * @param complete whether that copy has all objects, as those of electors do
 */
public record SideReport(
    String member, View view, long epoch, SidePromise promise, long version, boolean complete) {}
