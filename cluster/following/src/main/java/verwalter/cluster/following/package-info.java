/**
 * Nodes that follow the log of a cluster without a server of it: observers. An elector sends them
 * the entries ({@link verwalter.cluster.following.LogFeed}) and who leads; an observer passes them
 * to its store ({@link verwalter.cluster.following.FollowedLog}). It writes through the leader,
 * which checks that the objects are its own ({@link verwalter.cluster.following.ObserverWrites}).
 */
@NullMarked
package verwalter.cluster.following;

import org.jspecify.annotations.NullMarked;
