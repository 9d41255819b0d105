import pino from "pino";
import { perProcess } from "@/lib/platform/process";

// A server writes its lines in batches, at most 250 ms late. The rest is written when the process ends.
const written =
  process.env.NODE_ENV === "production" ? { sync: false, minLength: 4_096, periodicFlush: 250 } : { sync: true };

/**
 * An error as it is logged, without the rejected row that the database adds (personal data), and without the whole
 * connection that the pool adds when it is lost.
 */
export function loggedError(error: Error): Record<string, unknown> {
  const { detail, where, internalQuery, client, ...rest } = pino.stdSerializers.err(error);
  return rest;
}

/** The log: one JSON line per event on standard error. Standard output is for the results of commands. */
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
