import { type EngagementAnswer, isPassing, refusalOf } from "@/lib/engagement/client";

/** Why something is not told now; `reason` is kept with the delivery. It is tried again. */
export class Fault extends Error {
  constructor(
    readonly reason: FaultReason,
    message: string,
    /** concerns every delivery of the client: its key, its settings */
    readonly everywhere: boolean = false,
  ) {
    super(message);
    this.name = "Fault";
  }
}

export type FaultReason = "unavailable" | "too_many_requests" | "key_refused" | "schema_differs" | "refused";

/** What an answer that is not the hoped-for one means. */
export function faultOf(answer: EngagementAnswer): Fault {
  const said = refusalOf(answer);
  if (answer.status === 429) return new Fault("too_many_requests", said);
  if (answer.status === 401 || answer.status === 403) return new Fault("key_refused", said, true);
  return isPassing(answer) ? new Fault("unavailable", said) : new Fault("refused", said);
}

/** The delivery was taken away or over while it was worked on: whoever has it now goes on. */
export class Lost extends Error {}
