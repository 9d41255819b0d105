import type { ShownMessage } from "./toast-list";

type Messages = readonly ShownMessage[];

/** With one more, at most three: the oldest goes, and so does one with the same id. */
export const withMessage = (held: Messages, shown: ShownMessage): Messages =>
  [...held.filter(({ id }) => id !== shown.id), shown].slice(-3);

/** Without the one of this number. Its id may be another's by now, which took its place while it was going. */
export const withoutMessage = (held: Messages, number: number): Messages =>
  held.filter((message) => message.number !== number);
