import { notify } from "@/lib/accounts/notifications/notify";
import { type BiasFinding, isConcern, isOfInvitations, lookBefore } from "@/lib/honesty/bias/find-bias";
import { findInvitationBias, type InvitationBias } from "@/lib/honesty/bias/find-invitation-bias";
import { FiguresReader } from "@/lib/honesty/figures";
import { type StoredFigures, saveFigures, selectFigures, selectOutdated } from "@/lib/honesty/figures-sql";
import { readEntries, readHead } from "@/lib/honesty/read-log";
import { now } from "@/lib/platform/clock";
import { pool, transaction } from "@/lib/platform/db/pool";
import { perProcess } from "@/lib/platform/process";

/** The stores whose figures are to be computed again, of these or all. */
export const listOutdatedFigures = (clientIds: string[] | null): Promise<string[]> => selectOutdated(clientIds);

/**
 * Computes a store's figures from its whole log, and stores them with the head that they belong to. The log is read again each
 * time: what became of each item isn't kept. A store without a log has the figures of an empty one: its orders aren't compared,
 * since nothing is stored and each call would read them again.
 */
export async function computeFigures(clientId: string): Promise<StoredFigures> {
  const head = await readHead(clientId);
  const reader = new FiguresReader();
  for await (const entry of readEntries(clientId, head?.size ?? 0)) reader.read(entry);
  const as_of = now();
  const { size, checkpoint } = head ?? { size: 0, checkpoint: "" };
  const invited = head ? await invitationBias(clientId, as_of) : { findings: [], notCompared: 0 };
  const findings = [...reader.bias(as_of), ...invited.findings];
  const not_compared = invited.notCompared;
  const computed = { as_of, size, checkpoint, figures: reader.figures(as_of), findings, not_compared };
  if (head) await save(clientId, computed);
  return computed;
}

/** Of the last look, which reads the orders once: figures are computed more often. */
async function invitationBias(clientId: string, asOf: Date): Promise<InvitationBias> {
  const stored = await selectFigures(pool(), clientId);
  const known = stored?.findings ?? [];
  return stored && stored.as_of.getTime() >= lookBefore(asOf.getTime())
    ? { findings: known.filter(isOfInvitations), notCompared: stored.not_compared }
    : findInvitationBias(clientId, known, asOf);
}

/** Admins of the store and operators are notified of findings that are new, in the transaction that stores them. */
const save = (clientId: string, computed: StoredFigures): Promise<void> =>
  transaction(async (db) => {
    const known = (await selectFigures(db, clientId))?.findings ?? [];
    if (!(await saveFigures(db, clientId, computed))) return;
    const isNew = ({ question, since }: BiasFinding) =>
      !known.some((one) => one.question === question && one.since === since);
    if (!computed.findings.some((finding) => isConcern(finding) && isNew(finding))) return;
    const found = { clientId, kind: "bias_found", params: {}, path: "/portal/bias", dedupeKey: "bias_found" } as const;
    await notify(db, { ...found, to: { role: "admin" } }, { ...found, to: { role: "operator" } });
  });

const running = () => perProcess("log-figures-running", () => new Map<string, Promise<StoredFigures>>());

/** A store's figures as computed last, or now for the first time. Concurrent calls share that. */
export async function readFigures(clientId: string): Promise<StoredFigures> {
  const stored = await selectFigures(pool(), clientId);
  if (stored) return stored;
  const current = running().get(clientId);
  if (current) return current;
  const started = computeFigures(clientId).finally(() => running().delete(clientId));
  running().set(clientId, started);
  return started;
}
