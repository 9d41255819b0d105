import { waitForDatabase } from "@/lib/platform/secrets/check-database";

// A process that waits for its database as the server does at its start, and prints the result.
const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());
const result = await waitForDatabase(stop.signal).then(String, ({ name, message }: Error) => `${name}: ${message}`);
process.stdout.write(`${result}\n`, () => process.exit());
