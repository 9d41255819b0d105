import { questionName } from "@/lib/accounts/stores/custom-answers";
import { type ClientRow, readClient } from "@/lib/accounts/stores/get-client";
import type { RuleSettings } from "@/lib/accounts/stores/rule-settings";
import type { CustomQuestion } from "@/lib/accounts/stores/settings";
import { findFindings } from "@/lib/moderation/rules/find-findings";
import {
  keyedFingerprint,
  publicNetworkOf,
  shinglesOf,
  similarity,
  textFingerprints,
} from "@/lib/moderation/rules/fingerprints";
import { type Field, mainText, type RuleInput } from "@/lib/moderation/rules/rule-input";
import { ruleSettingsOf, shopOf } from "@/lib/moderation/rules/rule-settings-of-store";
import type { Finding } from "@/lib/moderation/rules/schema";
import { type RuleVerdict, verdictOf } from "@/lib/moderation/rules/verdict";
import { EventLoopYielder } from "@/lib/moderation/rules/yield-to-event-loop";
import { pool, transaction } from "@/lib/platform/db/pool";
import { lastingKey } from "@/lib/platform/env";
import type { ModeratedKind } from "@/lib/reviews/decisions/schema";
import { type WrittenDecision, writeDecisions } from "@/lib/reviews/decisions/write-decisions";
import { detectLanguage } from "@/lib/reviews/reviews/detect-language";
import {
  type ItemFingerprints,
  type ItemRow,
  lockPending,
  type RelatedItems,
  recordHeld,
  saveFindings,
  saveFingerprints,
  selectItems,
  selectOriginals,
  selectRelatedItems,
} from "./sql";

/** Results per outcome. Items decided or changed in the meantime aren't counted. */
export type ModerationCounts = { accepted: number; rejected: number; held: number };

/** How often items that change during moderation are checked again before the job gives up for now. */
const MAX_ROUNDS = 5;

/**
 * Applies a client's rules to pending items: accepts those without findings, rejects definite violations, and holds the
 * rest for a person with their findings. Does nothing without `auto_moderate`. A decision is
 * written only if the row still has the version that was checked, with its history entry and outbox event. Idempotent.
 * At most 100 items. Throws if items keep changing; retry later.
 */
export async function applyRules(
  clientId: string,
  kind: ModeratedKind,
  ids: readonly string[],
): Promise<ModerationCounts> {
  const tally: ModerationCounts = { accepted: 0, rejected: 0, held: 0 };
  const client = await readClient(pool(), clientId);
  if (!client?.auto_moderate) return tally;
  let remaining = ids;
  for (let round = 0; remaining.length > 0; round += 1) {
    if (round === MAX_ROUNDS)
      throw new Error(`${remaining.length} items of ${clientId} changed while rules were applied to them`);
    remaining = await applyRulesOnce(client, kind, remaining, tally);
  }
  return tally;
}

type Checked = { item: ItemRow; findings: Finding[]; verdict: RuleVerdict };

/** Checks items once. Returns the ids of those that changed in the meantime. */
async function applyRulesOnce(
  client: ClientRow,
  kind: ModeratedKind,
  ids: readonly string[],
  tally: ModerationCounts,
): Promise<string[]> {
  const items = await selectItems(pool(), client.id, kind, ids);
  if (items.length === 0) return [];
  const settings = ruleSettingsOf(client);
  const relatedItems = await loadSimilarityFacts(client, kind, items, settings);
  const shop = shopOf(client);
  const yielder = new EventLoopYielder();
  const checked: Checked[] = [];
  for (const item of items) {
    const writing = await toRuleInput(client, kind, item, relatedItems.get(item.id));
    const findings = await findFindings(writing, shop, settings, yielder);
    checked.push({ item, findings, verdict: verdictOf(findings) });
  }
  return saveResults(client, kind, checked, tally);
}

/** How much of an item's text is in an earlier one, and how many similar items came shortly before it. */
type SimilarityFacts = Pick<RuleInput, "similarity" | "arrivals">;

async function loadSimilarityFacts(
  client: ClientRow,
  kind: ModeratedKind,
  items: readonly ItemRow[],
  { burst }: RuleSettings,
): Promise<Map<string, SimilarityFacts>> {
  const prints = items.map(fingerprinter(client));
  // Saved before the comparison, so that of two similar items in one batch the later one finds the earlier.
  await saveFingerprints(pool(), client.id, kind, prints);
  const limits = { minutes: burst?.minutes ?? 60, limit: 1_000 };
  const relatedItems = await selectRelatedItems(pool(), client.id, kind, prints, limits);
  const originals = await selectOriginals(pool(), client.id, kind, [
    ...new Set([...relatedItems.values()].flatMap(({ alike }) => alike)),
  ]);
  const yielder = new EventLoopYielder();
  const similarityFacts = new Map<string, SimilarityFacts>();
  for (const item of items) {
    const {
      alike = [],
      author = 0,
      network = 0,
      product = 0,
    } = relatedItems.get(item.id) ?? ({} as Partial<RelatedItems>);
    const own = alike.length > 0 ? shinglesOf(mainText(item)) : new Set<number>();
    let maxSimilarity = 0;
    for (const id of alike) {
      const other = originals.get(id);
      if (!other || !(other.accepted || isEarlier(other, item))) continue;
      maxSimilarity = Math.max(maxSimilarity, similarity(own, shinglesOf(mainText(other))));
      await yielder.yieldIfDue();
    }
    similarityFacts.set(item.id, { similarity: maxSimilarity, arrivals: { author, network, product } });
  }
  return similarityFacts;
}

type Arrival = Pick<ItemRow, "id" | "created_at">;

/** Whether an item was submitted before another. Jobs may run in a different order. */
function isEarlier(a: Arrival, b: Arrival): boolean {
  const [at, bt] = [a.created_at.getTime(), b.created_at.getTime()];
  return at < bt || (at === bt && a.id < b.id);
}

/** Whether anyone can submit items this way, so that many at once are suspicious. */
const isOpen = (source: string): boolean => source === "web" || source === "collect";

const fingerprinter = (client: ClientRow) => {
  const key = lastingKey("moderation-print/1");
  const print = (item: ItemRow, what: "author" | "network" | "product", value: string | null) =>
    value === null || !isOpen(item.source) ? null : keyedFingerprint(key, what, `${client.id} ${value}`);
  return (item: ItemRow): ItemFingerprints => ({
    id: item.id,
    created_at: item.created_at.toISOString(),
    texts: textFingerprints(mainText(item)),
    author: print(item, "author", item.email_key),
    network: print(item, "network", publicNetworkOf(item.author_ip)),
    product: print(item, "product", item.product),
  });
};

async function toRuleInput(
  client: ClientRow,
  kind: ModeratedKind,
  item: ItemRow,
  similarityFacts: SimilarityFacts | undefined,
): Promise<RuleInput> {
  const fullText = [item.title, mainText(item)].filter(Boolean).join("\n");
  return {
    fields: fieldsOf(client, kind, item).filter(({ text }) => text !== ""),
    lang: item.lang?.toLowerCase().split(/[-_]/)[0] ?? null,
    detected: await detectLanguage(fullText),
    photos: item.photos,
    own: { email: item.email_key, phone: item.phone, orderId: item.order_id },
    similarity: similarityFacts?.similarity ?? 0,
    arrivals: similarityFacts?.arrivals ?? { author: 0, network: 0, product: 0 },
  };
}

/** All text by the author. Of answers to custom questions only the texts, never a score. */
function fieldsOf(
  client: ClientRow,
  kind: ModeratedKind,
  { author, title, extract, pros, cons, answers }: ItemRow,
): Field[] {
  const questions = client.custom_questions as CustomQuestion[];
  const chosen = new Set(questions.filter(({ type }) => type !== "text").map(questionName));
  const [head, body] = kind === "question" ? ["question", "details"] : ["title", "extract"];
  return [
    { name: "author", text: author ?? "" },
    { name: head, text: title ?? "" },
    { name: body, text: extract },
    ...pros.map((text, index) => ({ name: `pros[${index}]`, text })),
    ...cons.map((text, index) => ({ name: `cons[${index}]`, text })),
    ...Object.entries(answers).flatMap(([name, text]) =>
      typeof text === "string" && !chosen.has(name) ? [{ name: `properties.${name}`, text }] : [],
    ),
  ];
}

/** Saves the results if the row is unchanged. Returns the ids of those that changed. */
function saveResults(
  client: ClientRow,
  kind: ModeratedKind,
  checkedItems: readonly Checked[],
  tally: ModerationCounts,
): Promise<string[]> {
  return transaction(async (db) => {
    const ids = checkedItems.map(({ item }) => item.id);
    const pending = await lockPending(db, client.id, kind, ids);
    const current = checkedItems.filter(({ item }) => pending.get(item.id) === item.version);
    const newlyFound = await saveFindings(
      db,
      client.id,
      kind,
      current.map(({ item, findings }) => ({ id: item.id, findings })),
    );
    const decided = current.filter(({ item, verdict }) => verdict.outcome !== "hold" && isReady(client, item));
    await writeDecisions(
      db,
      client,
      kind,
      decided.map(({ item, verdict }) => toDecision(item, verdict)),
    );
    const held = current.filter((one) => one.findings.length > 0 && !decided.includes(one));
    await recordHeld(
      db,
      client.id,
      kind,
      held
        .filter(({ item, verdict }) => verdict.outcome === "hold" && newlyFound.has(item.id))
        .map(({ item, findings }) => ({ id: item.id, rule: findings[0]?.rule ?? "" })),
    );
    tally.accepted += decided.filter(({ verdict }) => verdict.outcome === "accept").length;
    tally.rejected += decided.filter(({ verdict }) => verdict.outcome === "reject").length;
    tally.held += held.length;
    return checkedItems
      .filter(({ item }) => pending.has(item.id) && !current.some((one) => one.item === item))
      .map(({ item }) => item.id);
  });
}

/** If the client verifies addresses, nothing is decided before the author's is verified. */
const isReady = (client: ClientRow, { source, verified_email }: ItemRow): boolean =>
  !client.require_verification || !isOpen(source) || verified_email;

const toDecision = ({ id, source }: ItemRow, { outcome, rule, reason }: RuleVerdict): WrittenDecision => ({
  id,
  from: null,
  accepted: outcome === "accept",
  reason,
  actor: { kind: "rule", id: rule },
  // The store itself informs customers about items that came through the API or an import.
  notify: outcome === "reject" && (isOpen(source) || source === "invitation"),
});
