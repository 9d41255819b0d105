import type { RuleSettings } from "@/lib/accounts/stores/rule-settings";
import type { RuleName } from "@/lib/moderation/rules/values";

// What rules are given, and what they answer. Rules are pure: they see the words of an item and what the database knows
// of how it came, and nothing else. There is no score here, no recommendation and no answer that is a number, so no rule
// can look at the stars, whoever writes it.

/** One text of an item, named as findings name it. */
export type Field = { readonly name: string; readonly text: string };

/** An item as the rules see it. */
export type RuleInput = {
  /** what its author wrote: `author`, `title`, `extract`, `pros[0]` … */
  readonly fields: readonly Field[];
  /** the language it is stored under, as a two-letter code */
  readonly lang: string | null;
  /** the language its text is in where the detector is sure, else null */
  readonly detected: string | null;
  readonly photos: number;
  /** what of the author we know, to know it again in the text */
  readonly own: { readonly email: string | null; readonly phone: string | null; readonly orderId: string | null };
  /** the share of its text that an earlier one has too, 0 to 1 */
  readonly similarity: number;
  /** how many came shortly before it: of the same author, network, product; 0 where that says nothing */
  readonly arrivals: { readonly author: number; readonly network: number; readonly product: number };
};

/** What rules know of the shop. */
export type Shop = {
  /** languages its reviews may be in, as two-letter codes */
  readonly languages: readonly string[];
  /** where its customers are, as a two-letter code: numbers are written as they do there */
  readonly country: string | null;
  /** its own domains, lower-case */
  readonly domains: readonly string[];
};

/** A place in a field, in UTF-16 code units, end exclusive. */
export type Span = {
  readonly start: number;
  readonly end: number;
  /** whether the rule would reject for it without a person; else it holds */
  readonly sure: boolean;
};

type Settings<Name extends RuleName> = NonNullable<RuleSettings[Name]>;

/** A rule about the words of one field, with its part of the client's settings. */
export type FieldRule<Name extends RuleName> = (
  field: Field,
  writing: RuleInput,
  shop: Shop,
  settings: Settings<Name>,
) => Span[];

/** A rule about an item as a whole: whether it has something against it. */
export type ItemRule<Name extends RuleName> = (writing: RuleInput, shop: Shop, settings: Settings<Name>) => boolean;

/** The text by which an item is compared with others: all but its title. */
export const mainText = ({ extract, pros, cons }: { extract: string; pros: string[]; cons: string[] }): string =>
  [extract, ...pros, ...cons].join("\n");
