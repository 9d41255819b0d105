import type { ItemContext } from "@/lib/moderation/queue/schema";
import { shinglesOf, similarity, textFingerprints } from "@/lib/moderation/rules/fingerprints";
import { mainText } from "@/lib/moderation/rules/rule-input";
import { pool } from "@/lib/platform/db/pool";
import type { ModeratedKind } from "@/lib/reviews/decisions/schema";
import { selectOriginals, selectSimilarCandidates } from "./sql";

/** Below this, texts only share some words. */
const MIN_SIMILARITY = 0.5;
/** Length of the excerpt that identifies another text. */
const EXCERPT_LENGTH = 160;

/**
 * Returns up to five items with similar text, most similar first. Uses the rules' fingerprints, so it is empty for
 * clients without rules and for short texts.
 */
export async function listSimilar(clientId: string, kind: ModeratedKind, id: string): Promise<ItemContext["alike"]> {
  const item = (await selectOriginals(pool(), clientId, kind, [id])).get(id);
  const prints = item ? textFingerprints(mainText(item)) : [];
  if (!item || prints.length === 0) return [];
  const own = shinglesOf(mainText(item));
  const others = await selectSimilarCandidates(pool(), clientId, kind, id, prints);
  return others
    .map((other) => ({
      kind,
      id: other.id,
      text: [...mainText(other)].slice(0, EXCERPT_LENGTH).join(""),
      similarity: Math.round(similarity(own, shinglesOf(mainText(other))) * 100) / 100,
      date: other.date,
      accepted: other.accepted,
    }))
    .filter((other) => other.similarity >= MIN_SIMILARITY)
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, 5);
}
