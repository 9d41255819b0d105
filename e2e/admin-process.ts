import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { inspect } from "node:util";
import { runCommand } from "@/app/_admin-commands";
import { type CommandOutput, captureAdmin } from "@/lib/tools/test/program";

// Runs the specs' admin commands, one after the other, since they share the standard output. app/_admin.db.test.ts
// tests the command as a process. Prints its address once it listens.

let last: Promise<unknown> = Promise.resolve();
const server = createServer(async (request, response) => {
  const result = last
    .then(async () => captureAdmin(runCommand, (await json(request)) as string[]))
    .catch((error): CommandOutput => ({ out: "", err: inspect(error), status: 1 })); // the next one runs anyway
  last = result;
  response.end(JSON.stringify(await result));
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
// Ends with the test run, also if that is killed.
process.stdin.on("end", () => process.exit()).resume();
