"use client";

import { useState } from "react";
import type { ControlProps } from "@/components/settings/fields";
import { Lines } from "@/components/settings/lines";
import { faultAt } from "@/components/settings/model";
import { RuleTrialCard } from "@/components/settings/rule-trial";
import { Field, Input, Select } from "@/components/ui/field";
import type { RuleSettings } from "@/lib/auto-moderation/schema";
import { type RuleName, ruleNames, ruleTitles } from "@/lib/auto-moderation/values";

/** What each rule looks for, for those who decide whether it may. */
const explained: Record<RuleName, string> = {
  profanity: "Offensive words of the text's language, also masked or spaced, and words of your own.",
  card_number: "Numbers that a payment card could have, by issuer, length and check digit.",
  bank_account: "IBANs with the length and check digits of their country.",
  email: "E-mail addresses, also written as bob (at) mail (dot) com.",
  url: "Links and names of websites other than yours.",
  order_number: "The author's own order number, or another after a word that says so.",
  phone: "Telephone numbers that exist.",
  price: "Exact prices in any currency. Percentages and words like bargain are fine.",
  unintelligible: "Random keys, one letter over and over, signs without words.",
  wrong_language: "A longer text in another language than your shop's, where that is certain.",
  duplicate: "A text that is much like an earlier one of your shop.",
  burst: "Many in a short time by one address, from one network or about one product. Never of invitations.",
  photo: "No rule can judge a picture, so a person looks at each: before anything is published, or after, one by one.",
};

type Own = { on?: boolean; action?: "hold" | "reject"; [more: string]: unknown };

/** The moderation rules: which are on, what follows from each, their words and limits; and a text to try them on. */
export default function RulesEditor({ value, settings, faults, disabled, onChange }: ControlProps) {
  const rules = (value ?? {}) as RuleSettings;
  const set = (rule: RuleName, given: Own) => {
    const own = Object.fromEntries(Object.entries(given).filter(([, member]) => member !== undefined));
    const { [rule]: _, ...others } = rules;
    // A rule without settings of its own is not named at all, as in what was never touched.
    onChange(Object.keys(own).length > 0 ? { ...others, [rule]: own } : others);
  };
  return (
    <div className="flex flex-col gap-6">
      {!settings.auto_moderate && (
        <p className="rounded-control bg-warn-soft px-4 py-3 text-sm text-warn">
          The rules are off as a whole: a person decides about everything. You can set and try them all the same.
        </p>
      )}
      <ul className="overflow-hidden rounded-card border border-line">
        {ruleNames.map((rule) => (
          <Rule
            key={rule}
            rule={rule}
            own={(rules[rule] ?? {}) as Own}
            fault={faultAt(faults, `rules.${rule}`)}
            disabled={disabled}
            onChange={(own) => set(rule, own)}
          />
        ))}
      </ul>
      <RuleTrialCard rules={rules} />
    </div>
  );
}

type RuleProps = {
  rule: RuleName;
  own: Own;
  fault: string | undefined;
  disabled: boolean;
  onChange: (own: Own) => void;
};

const choices = [
  { value: "", label: "Rejects what is certain, holds the rest" },
  { value: "hold", label: "Holds all it finds for a person" },
  { value: "reject", label: "Rejects all it finds" },
  { value: "off", label: "Off" },
];

/** Rules that are never certain by themselves. */
const unsure = new Set<RuleName>([
  "url",
  "order_number",
  "price",
  "unintelligible",
  "wrong_language",
  "duplicate",
  "burst",
]);

function Rule({ rule, own, fault, disabled, onChange }: RuleProps) {
  const action = own.on === false ? "off" : (own.action ?? "");
  const [open, setOpen] = useState(false);
  const fields = more[rule];
  const options =
    rule === "photo"
      ? [
          { value: "", label: "Holds for a person" },
          { value: "off", label: "Publishes; photos wait alone" },
        ]
      : unsure.has(rule)
        ? [{ value: "", label: "Holds all it finds for a person" }, ...choices.slice(2)]
        : choices;
  const shown = unsure.has(rule) && action === "hold" ? "" : action;
  return (
    <li className="border-b border-line px-4 py-3.5 last:border-b-0">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          <p className={action === "off" ? "text-sm font-medium text-muted" : "text-sm font-medium"}>
            {ruleTitles[rule]}
          </p>
          <p className="text-sm text-muted">{explained[rule]}</p>
        </div>
        <Select
          aria-label={`${ruleTitles[rule]}: what follows`}
          value={shown}
          compact
          className="w-full sm:w-72"
          onChange={({ target }) => {
            const { on: _, action: __, ...rest } = own;
            onChange(
              target.value === "off"
                ? { ...rest, on: false }
                : target.value === ""
                  ? rest
                  : { ...rest, action: target.value as "hold" | "reject" },
            );
          }}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </Select>
      </div>
      {fields && action !== "off" && (
        <details
          open={open || fault !== undefined}
          onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
          className="mt-2"
        >
          <summary className="inline-block rounded-control text-sm text-accent">
            {Object.keys(own).some((key) => key !== "on" && key !== "action")
              ? "Words and limits (changed)"
              : "Words and limits"}
          </summary>
          <div className="mt-3 grid gap-4 sm:grid-cols-2">
            {fields.map((field) => (
              <Member key={field.name} rule={rule} field={field} own={own} disabled={disabled} onChange={onChange} />
            ))}
          </div>
        </details>
      )}
      {fault && (
        <p role="alert" className="mt-2 text-sm font-medium text-bad">
          {fault}
        </p>
      )}
    </li>
  );
}

type MemberDef = { name: string; label: string; hint?: string } & (
  | { kind: "lines"; placeholder?: string }
  | { kind: "number"; usual: number }
  | { kind: "percent"; usual: number }
);

const more: Partial<Record<RuleName, MemberDef[]>> = {
  profanity: [
    { name: "words", kind: "lines", label: "Your own words", hint: "One a line. A text with one of them is rejected." },
    {
      name: "allowed",
      kind: "lines",
      label: "Words that are fine here",
      hint: "One a line: names of bands, for example.",
    },
  ],
  email: [
    {
      name: "allowed",
      kind: "lines",
      label: "Domains that are fine",
      hint: "One a line.",
      placeholder: "shop.example",
    },
  ],
  url: [
    {
      name: "allowed",
      kind: "lines",
      label: "Sites that are fine",
      hint: "One a line. Yours are already.",
      placeholder: "youtube.com",
    },
  ],
  wrong_language: [
    {
      name: "languages",
      kind: "lines",
      label: "Further languages that are fine",
      hint: "Codes of two letters, one a line.",
      placeholder: "en",
    },
  ],
  duplicate: [{ name: "similarity", kind: "percent", label: "From how much equal text, in percent", usual: 0.8 }],
  burst: [
    { name: "minutes", kind: "number", label: "Within so many minutes", usual: 60 },
    { name: "per_author", kind: "number", label: "Fine from one e-mail address", usual: 5 },
    { name: "per_network", kind: "number", label: "Fine from one network", usual: 5 },
    { name: "per_product", kind: "number", label: "Fine about one product", usual: 20 },
  ],
};

type MemberProps = { rule: RuleName; field: MemberDef; own: Own; disabled: boolean; onChange: (own: Own) => void };

function Member({ rule, field, own, disabled, onChange }: MemberProps) {
  const id = `rule-${rule}-${field.name}`;
  const value = own[field.name];
  const set = (next: unknown) => onChange({ ...own, [field.name]: next });
  if (field.kind === "lines")
    return (
      <Lines
        id={id}
        label={field.label}
        hint={field.hint}
        placeholder={field.placeholder}
        value={(value as string[] | undefined) ?? []}
        onChange={(lines) => set(lines.length > 0 ? lines : undefined)}
      />
    );
  const percent = field.kind === "percent";
  const shown = typeof value === "number" ? String(percent ? Math.round(value * 100) : value) : String(value ?? "");
  return (
    <Field id={id} label={field.label} hint={`Blank means ${percent ? field.usual * 100 : field.usual}.`}>
      {(wiring) => (
        <Input
          {...wiring}
          inputMode="numeric"
          className="figures"
          disabled={disabled}
          placeholder={String(percent ? field.usual * 100 : field.usual)}
          value={shown}
          onChange={({ target }) => {
            const typed = target.value.trim();
            if (typed === "") set(undefined);
            else set(/^\d{1,6}$/.test(typed) ? Number(typed) / (percent ? 100 : 1) : typed);
          }}
        />
      )}
    </Field>
  );
}
