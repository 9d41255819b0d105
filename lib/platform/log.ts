import pino from "pino";
import { perProcess } from "@/lib/platform/process";

// A server's lines go out together, at most a quarter of a second late; what is left goes out when the process ends.
const written =
  process.env.NODE_ENV === "production" ? { sync: false, minLength: 4_096, periodicFlush: 250 } : { sync: true };

/** An error as it is logged. The database adds the row that it refused, with a customer's words and address in it: not that. */
export function loggedError(error: Error): Record<string, unknown> {
  const { detail, where, internalQuery, ...rest } = pino.stdSerializers.err(error);
  return rest;
}

/** The log: one JSON line an event on standard error, so that commands keep standard output for their answer. */
export const log = perProcess("log", () =>
  pino(
    {
      level: process.env.LOG_LEVEL ?? "info",
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: loggedError },
    },
    pino.destination({ dest: 2, ...written }),
  ),
);
