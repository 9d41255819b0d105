import { readHead, readTileFile } from "@/lib/honesty/read-log";
import { verifierKeys } from "@/lib/honesty/signing-keys";
import type { Source } from "@/lib/honesty/verifier/source";
import { pool } from "@/lib/platform/db/pool";

/** A store's log in the database, as the files that the server offers. */
export const logSource = (clientId: string): Source => ({
  name: `the log of ${clientId}`,
  read: async (file) => {
    if (file === "checkpoint" || file === "key") {
      const head = await readHead(clientId);
      return head ? Buffer.from(file === "key" ? await keysText(head.origin) : head.checkpoint) : undefined;
    }
    return (await readTileFile(clientId, file)) ?? undefined;
  },
});

/** The verifier keys of the log with this origin, a line each. */
export const keysText = async (origin: string): Promise<string> =>
  (await verifierKeys(pool(), origin)).map((key) => `${key}\n`).join("");
