"use client";

import clsx from "clsx";
import { useState } from "react";
import { useTranslations } from "#messages";
import type { ControlProps } from "@/components/settings/fields";
import { LinesField } from "@/components/settings/lines-field";
import {
  actionsOf,
  type RuleOptionDef,
  ruleDescriptions,
  ruleOptions,
  uncertainRules,
} from "@/components/settings/rule-labels";
import { RuleTestCard } from "@/components/settings/rule-test-card";
import { issueAt } from "@/components/settings/settings-draft";
import { Field, Input, Select } from "@/components/ui/field";
import type { RuleSettings } from "@/lib/accounts/stores/rule-settings";
import { type RuleName, ruleLabels, ruleNames } from "@/lib/moderation/rules/values";

type Own = { on?: boolean; action?: "hold" | "reject"; [more: string]: unknown };

/** The moderation rules: which are on, their actions, word lists and limits, and a test. */
export function RulesEditor({ value, settings, issues, disabled, onChange }: ControlProps) {
  const t = useTranslations();
  const rules = (value ?? {}) as RuleSettings;
  const set = (rule: RuleName, given: Own) => {
    const own = Object.fromEntries(Object.entries(given).filter(([, member]) => member !== undefined));
    const { [rule]: _, ...others } = rules;
    // Omit a rule without own settings, as if it had never been changed.
    onChange(Object.keys(own).length > 0 ? { ...others, [rule]: own } : others);
  };
  return (
    <div className="flex flex-col gap-6">
      {!settings.auto_moderate && (
        <p className="rounded-control bg-warn-soft px-4 py-3 text-sm text-warn">
          {t("moderationRules.rulesOffNotice")}
        </p>
      )}
      <ul className="overflow-hidden rounded-card border border-line">
        {ruleNames.map((rule) => (
          <Rule
            key={rule}
            rule={rule}
            own={(rules[rule] ?? {}) as Own}
            issue={issueAt(issues, `rules.${rule}`)}
            disabled={disabled}
            onChange={(own) => set(rule, own)}
          />
        ))}
      </ul>
      <RuleTestCard rules={rules} />
    </div>
  );
}

type RuleProps = {
  rule: RuleName;
  own: Own;
  issue: string | undefined;
  disabled: boolean;
  onChange: (own: Own) => void;
};

function Rule({ rule, own, issue, disabled, onChange }: RuleProps) {
  const t = useTranslations();
  const action = own.on === false ? "off" : (own.action ?? "");
  const [open, setOpen] = useState(false);
  const fields = ruleOptions[rule];
  const options = actionsOf(rule);
  const shown = uncertainRules.has(rule) && action === "hold" ? "" : action;
  return (
    <li className="border-b border-line px-4 py-3.5 last:border-b-0">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          {/* Without its own action, the rule about photos still holds them. */}
          <p className={clsx("text-sm font-medium", action === "off" && rule !== "photo" && "text-muted")}>
            {t(ruleLabels[rule])}
          </p>
          <p className="text-sm text-muted">{t(ruleDescriptions[rule])}</p>
        </div>
        <Select
          aria-label={t("moderationRules.actionLabel", { rule: t(ruleLabels[rule]) })}
          value={shown}
          compact
          className="w-full sm:w-auto sm:max-w-full sm:min-w-72"
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
              {t(option.label)}
            </option>
          ))}
        </Select>
      </div>
      {fields && action !== "off" && (
        <details
          open={open || issue !== undefined}
          onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
          className="mt-2"
        >
          <summary className="inline-block rounded-control text-sm text-accent">
            {Object.keys(own).some((key) => key !== "on" && key !== "action")
              ? t("moderationRules.optionsChanged")
              : t("moderationRules.options")}
          </summary>
          <div className="mt-3 grid gap-4 sm:grid-cols-2">
            {fields.map((field) => (
              <RuleOption
                key={field.name}
                rule={rule}
                field={field}
                own={own}
                disabled={disabled}
                onChange={onChange}
              />
            ))}
          </div>
        </details>
      )}
      {issue && (
        <p role="alert" className="mt-2 text-sm font-medium text-bad">
          {issue}
        </p>
      )}
    </li>
  );
}

type MemberProps = { rule: RuleName; field: RuleOptionDef; own: Own; disabled: boolean; onChange: (own: Own) => void };

function RuleOption({ rule, field, own, disabled, onChange }: MemberProps) {
  const t = useTranslations();
  const id = `rule-${rule}-${field.name}`;
  const value = own[field.name];
  const set = (next: unknown) => onChange({ ...own, [field.name]: next });
  if (field.kind === "lines")
    return (
      <LinesField
        id={id}
        label={t(field.label)}
        hint={field.hint && t(field.hint)}
        placeholder={field.placeholder}
        value={(value as string[] | undefined) ?? []}
        onChange={(lines) => set(lines.length > 0 ? lines : undefined)}
      />
    );
  const percent = field.kind === "percent";
  const shown = typeof value === "number" ? String(percent ? Math.round(value * 100) : value) : String(value ?? "");
  return (
    <Field
      id={id}
      label={t(field.label)}
      hint={t("moderationRules.default", {
        n: percent ? field.defaultValue * 100 : field.defaultValue,
      })}
    >
      {(wiring) => (
        <Input
          {...wiring}
          inputMode="numeric"
          className="figures"
          disabled={disabled}
          placeholder={String(percent ? field.defaultValue * 100 : field.defaultValue)}
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
