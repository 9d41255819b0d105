/** Something in a log doesn't fit. The message names it. */
export class Mismatch extends Error {
  /** `evidence`: signed texts that prove it to others. */
  constructor(
    message: string,
    readonly evidence: string[] = [],
  ) {
    super(message);
  }
}
