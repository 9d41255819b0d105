import type { ShownMessage } from "./toast-list";

type Messages = readonly ShownMessage[];

/** Adds a message; keeps at most three and replaces the one with the same id. */
export const withMessage = (held: Messages, shown: ShownMessage): Messages =>
  [...held.filter(({ id }) => id !== shown.id), shown].slice(-3);

/** Removes the message with this number. Not by id, because a new message may have the id of a closing one. */
export const withoutMessage = (held: Messages, number: number): Messages =>
  held.filter((message) => message.number !== number);
