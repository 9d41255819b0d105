import type { QueueItem } from "@/lib/moderation/queue/schema";
import { type ItemReader, toQueueItem } from "@/lib/moderation/queue/serialize";
import { listFindings } from "@/lib/moderation/rules/list-findings";
import type { Finding } from "@/lib/moderation/rules/schema";
import { pool } from "@/lib/platform/db/pool";
import { type DecidedKind, decidedKinds } from "@/lib/reviews/decisions/schema";
import { type QueueRow, selectQueueRows } from "./sql";

/** The items of these keys, in order. Skips items deleted in the meantime. */
export async function loadItems(
  clientId: string,
  keys: { kind: DecidedKind; id: string }[],
  reader: ItemReader,
): Promise<QueueItem[]> {
  const found = new Map<string, [row: QueueRow, findings: Finding[] | undefined]>();
  await Promise.all(
    decidedKinds.map(async (kind) => {
      const ids = keys.flatMap((key) => (key.kind === kind ? [key.id] : []));
      if (ids.length === 0) return;
      const [rows, findings] = await Promise.all([
        selectQueueRows(pool(), clientId, kind, ids),
        kind === "answer" || kind === "photo" ? new Map<string, Finding[]>() : listFindings(clientId, kind, ids),
      ]);
      for (const row of rows) found.set(`${kind} ${row.id}`, [row, findings.get(row.id)]);
    }),
  );
  return keys.flatMap(({ kind, id }) => {
    const [row, findings] = found.get(`${kind} ${id}`) ?? [];
    return row ? [toQueueItem(row, clientId, reader, findings)] : [];
  });
}
