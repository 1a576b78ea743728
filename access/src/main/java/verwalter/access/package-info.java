/**
 * Who may do what: callers, the operations that they ask for, and one pure function that allows or
 * refuses an operation. Also the text of access tokens and the hash chain of the audit log.
 *
 * <p>Closed by default: an operation that neither the caller's groups nor an access rule allows is
 * refused.
 */
@NullMarked
package verwalter.access;

import org.jspecify.annotations.NullMarked;
