import type { RuleSettings } from "@/lib/accounts/stores/rule-settings";
import type { RuleName } from "@/lib/moderation/rules/values";

// Input and output of the rules. Rules are pure: they see only an item's text and data about its submission. The input
// has no score, recommendation or numeric answer, so no rule can depend on the rating.

/** One text of an item, named as in findings. */
export type Field = { readonly name: string; readonly text: string };

/** An item as the rules see it. */
export type RuleInput = {
  /** texts by the author: `author`, `title`, `extract`, `pros[0]` … */
  readonly fields: readonly Field[];
  /** the stored language, as a two-letter code */
  readonly lang: string | null;
  /** the detected language if the detector is sure, else null */
  readonly detected: string | null;
  readonly photos: number;
  /** the author's known data, to recognize it in the text */
  readonly own: { readonly email: string | null; readonly phone: string | null; readonly orderId: string | null };
  /** the share of the text that is in an earlier item, 0 to 1 */
  readonly similarity: number;
  /** recent items of the same author, network and product; 0 if not relevant */
  readonly arrivals: { readonly author: number; readonly network: number; readonly product: number };
};

/** The store's data that rules use. */
export type Shop = {
  /** languages of its reviews, as two-letter codes */
  readonly languages: readonly string[];
  /** the customers' country, as a two-letter code, which determines number formats */
  readonly country: string | null;
  /** its own domains, lower-case */
  readonly domains: readonly string[];
};

/** A passage of a field, in UTF-16 code units, end exclusive. */
export type Span = {
  readonly start: number;
  readonly end: number;
  /** a definite violation: the rule rejects without a person; otherwise it holds */
  readonly sure: boolean;
};

type Settings<Name extends RuleName> = NonNullable<RuleSettings[Name]>;

/** A rule that checks the text of one field, with its part of the client's settings. */
export type FieldRule<Name extends RuleName> = (
  field: Field,
  writing: RuleInput,
  shop: Shop,
  settings: Settings<Name>,
) => Span[];

/** A rule that checks a whole item. Returns whether it has a finding. */
export type ItemRule<Name extends RuleName> = (writing: RuleInput, shop: Shop, settings: Settings<Name>) => boolean;

/** The text used to compare an item with others: all but its title. */
export const mainText = ({ extract, pros, cons }: { extract: string; pros: string[]; cons: string[] }): string =>
  [extract, ...pros, ...cons].join("\n");
