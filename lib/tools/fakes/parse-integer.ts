import { InvalidArgumentError } from "commander";

/** Parses the whole number of a command-line option. Throws an error with a message for the user otherwise. */
export function parseInteger(given: string): number {
  if (/^\d+$/.test(given)) return Number(given);
  throw new InvalidArgumentError("It must be a whole number.");
}
