import { InvalidArgumentError } from "commander";

/** A whole number as an option of a command gives it. Throws in words for anything else. */
export function parseInteger(given: string): number {
  if (/^\d+$/.test(given)) return Number(given);
  throw new InvalidArgumentError("It must be a whole number.");
}
