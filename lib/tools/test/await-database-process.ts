import { awaitDatabase } from "@/lib/platform/secrets/known-database";

// A process of its own that waits for its database as the server does at its start, and says what came of it.
const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());
const told = await awaitDatabase(stop.signal).then(String, ({ name, message }: Error) => `${name}: ${message}`);
process.stdout.write(`${told}\n`, () => process.exit());
