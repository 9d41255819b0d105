import pino from "pino";
import { perProcess } from "@/lib/db/process";

/** The log: one JSON line an event on standard error, so that commands keep standard output for their answer. */
export const log = perProcess("log", () =>
  pino(
    { level: process.env.LOG_LEVEL ?? "info", base: undefined, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: process.env.NODE_ENV !== "production" }),
  ),
);
