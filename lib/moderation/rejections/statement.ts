import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { reasonText } from "@/lib/moderation/rejections/reason-text";
import type { Language } from "@/lib/platform/i18n/languages";
import { emailText } from "@/lib/platform/i18n/public-texts";

/** How a rejection came about. */
export type RejectionMeans = {
  /** the kind of actor that rejected, as in the history; `import`: it was rejected when it was imported */
  by: string;
  /** an automatic check had found something in the text */
  flagged: boolean;
  /** a reader had reported it, and the report was open */
  reported: boolean;
  /** the author may still appeal */
  canAppeal: boolean;
};

/** The reason of a rejection, and whether it is one by the law or by the store's rules. */
export function reasonLines(client: Pick<ClientRow, "display_name">, language: Language, reason: string): string[] {
  const ground = reason === "illegal" ? "statement.groundLaw" : "statement.groundRules";
  return [reasonText(language, reason), emailText(language)(ground, { shop: client.display_name })];
}

/**
 * The rest of the statement of reasons that a rejection needs (Regulation (EU) 2022/2065, Article 17): what was decided,
 * after what, by automated means or by a person, and what the author can do.
 */
export function statementLines(
  client: Pick<ClientRow, "display_name">,
  language: Language,
  { canAppeal, reported, ...means }: RejectionMeans,
): string[] {
  const t = emailText(language);
  const shop = { shop: client.display_name };
  const origin = reported ? [t("statement.reported")] : [];
  return [
    t("statement.decision", shop),
    [...origin, t(meansText(means), shop)].join(" "),
    t(canAppeal ? "statement.redressAppeal" : "statement.redress", shop),
  ];
}

function meansText({ by, flagged }: Pick<RejectionMeans, "by" | "flagged">) {
  if (by === "rule") return "statement.byRule";
  if (by === "import") return "statement.byImport";
  if (by !== "user") return "statement.byProgram";
  return flagged ? "statement.byPersonFlagged" : "statement.byPerson";
}
