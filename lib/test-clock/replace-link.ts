import type { Actor } from "@/lib/accounts/actor";
import { recordAudit } from "@/lib/accounts/record-audit";
import { type ClientRow, isTestStore, readClient } from "@/lib/accounts/stores/get-client";
import { dropCached } from "@/lib/platform/db/cache";
import { transaction } from "@/lib/platform/db/pool";
import type { RecordingLink } from "@/lib/test-clock/schema";
import { notTestStore } from "@/lib/test-clock/show-clock";
import { recordingLink } from "@/lib/test-clock/show-recording";

/** A new link to a test store's recording: earlier ones no longer work. Throws `conflict` for another store. */
export async function replaceRecordingLink(
  actor: Pick<Actor, "kind" | "id">,
  client: ClientRow,
): Promise<RecordingLink> {
  if (!isTestStore(client)) throw notTestStore();
  const { id } = client;
  const changed = await transaction(async (db) => {
    await db.query("update clients set recording_version = recording_version + 1 where id = $1", [id]);
    await recordAudit(db, { clientId: id, actor, action: "test_store.link_replaced", subject: id, detail: {} });
    return (await readClient(db, id)) ?? client;
  });
  dropCached("client", id);
  return { url: recordingLink(changed) };
}
