"use client";

import { useTranslations } from "#messages";
import { LinesField } from "@/components/settings/lines-field";
import { LogoField } from "@/components/settings/logo-field";
import { type Issues, idOf, type SettingName, type Settings } from "@/components/settings/settings-draft";
import { TranslatedTextField } from "@/components/settings/translated-text-field";
import { Button } from "@/components/ui/button";
import { Field, Input, Select, TextArea } from "@/components/ui/field";
import { lazyPart } from "@/components/ui/lazy-dialog";
import { Skeleton } from "@/components/ui/skeleton";
import { Switch } from "@/components/ui/switch";

/** The value of an empty control: null if the setting may be null, undefined if it is then omitted. */
type Blank = null | undefined | "";

export type FieldDef = { name: SettingName; label: string; hint?: string } & (
  | { kind: "switch"; on: string; off: string }
  | {
      kind: "text" | "email" | "url";
      blank: Blank | "required";
      placeholder?: string;
    }
  | {
      kind: "number";
      blank: Blank | "required";
      unit: string;
      placeholder?: string;
    }
  | { kind: "color"; blank: undefined }
  | { kind: "logo"; placeholder: string }
  | {
      kind: "choice";
      blank: Blank | "required";
      options: { value: string; label: string }[];
    }
  /**
   * a text of many lines; `starter`: a text that the `insertLabel` button inserts; `fallbackLabel`: whose text is used if it is empty
   */
  | { kind: "code"; starter: string; fallbackLabel: string; insertLabel: string }
  | { kind: "hours" }
  | { kind: "lines"; placeholder?: string }
  | { kind: "texts" }
  | { kind: "questions" }
  | { kind: "rules" }
);

export type ControlProps = {
  id: string;
  value: unknown;
  settings: Settings;
  issues: Issues;
  disabled: boolean;
  onChange: (value: unknown) => void;
  /** the store's settings form; other forms have none */
  page?: { clientId: string; set: (name: SettingName, value: unknown) => void };
};

type Props = Omit<ControlProps, "id"> & {
  field: FieldDef;
  issue: string | undefined;
};

const QuestionsEditor = lazyPart(
  async () => (await import("@/components/settings/questions-editor")).QuestionsEditor,
  <Skeleton className="h-64" />,
);
const RulesEditor = lazyPart(
  async () => (await import("@/components/settings/rules-editor")).RulesEditor,
  <Skeleton className="h-64" />,
);

/** A setting: label, hint, control and issue. */
export function SettingField({ field, issue, ...control }: Props) {
  const t = useTranslations();
  const { value, onChange, disabled } = control;
  const id = idOf(field.name);
  const blankOf = (blank: Blank | "required", text: string): unknown =>
    text === "" && blank !== "required" ? blank : text;
  switch (field.kind) {
    case "switch":
      return (
        <Switch
          id={id}
          label={field.label}
          checked={value === true}
          disabled={disabled}
          error={issue}
          onChange={onChange}
        >
          {value === true ? field.on : field.off} {field.hint}
        </Switch>
      );
    case "number":
      return (
        <Field id={id} label={field.label} hint={field.hint} error={issue}>
          {(wiring) => (
            <span className="flex items-center gap-2">
              <span className="w-32">
                <Input
                  {...wiring}
                  inputMode="numeric"
                  className="figures"
                  placeholder={field.placeholder}
                  value={value === null || value === undefined ? "" : String(value)}
                  onChange={({ target }) => {
                    const text = target.value.trim();
                    if (text === "") onChange(field.blank === "required" ? "" : field.blank);
                    else onChange(/^-?\d{1,9}$/.test(text) ? Number(text) : text);
                  }}
                />
              </span>
              <span className="text-sm text-muted">{field.unit}</span>
            </span>
          )}
        </Field>
      );
    case "choice":
      return (
        <Field id={id} label={field.label} hint={field.hint} error={issue}>
          {(wiring) => (
            <span className="max-w-md">
              <Select
                {...wiring}
                value={String(value ?? "")}
                onChange={({ target }) => onChange(blankOf(field.blank, target.value))}
              >
                {!field.options.some((option) => option.value === String(value ?? "")) && (
                  <option value={String(value ?? "")}>{String(value ?? "")}</option>
                )}
                {field.options.map((option) => (
                  <option key={option.value} value={option.value}>
                    {option.label}
                  </option>
                ))}
              </Select>
            </span>
          )}
        </Field>
      );
    case "color":
      return (
        <Field id={id} label={field.label} hint={field.hint} error={issue}>
          {(wiring) => (
            <span className="flex items-center gap-2">
              <input
                type="color"
                aria-label={t("settings.colorLabel", { label: field.label })}
                value={/^#[0-9a-f]{6}$/i.test(String(value)) ? String(value) : "#1d1b18"}
                onChange={({ target }) => onChange(target.value)}
                className="h-10 w-12 cursor-pointer rounded-control border border-edge bg-raised p-1"
              />
              <span className="w-32">
                <Input
                  {...wiring}
                  value={String(value ?? "")}
                  placeholder="#1d1b18"
                  maxLength={7}
                  onChange={({ target }) => onChange(target.value.trim() || undefined)}
                />
              </span>
            </span>
          )}
        </Field>
      );
    case "logo":
      return (
        <LogoField
          label={field.label}
          hint={field.hint}
          placeholder={field.placeholder}
          id={id}
          error={issue}
          {...control}
        />
      );
    case "hours":
      return <Hours id={id} field={field} issue={issue} value={value} onChange={onChange} />;
    case "code":
      return (
        <Field id={id} label={field.label} hint={field.hint} error={issue}>
          {(wiring) => (
            <>
              <TextArea
                {...wiring}
                className="font-mono text-xs leading-5"
                rows={String(value ?? "") === "" ? 4 : 18}
                spellCheck={false}
                value={String(value ?? "")}
                placeholder={field.fallbackLabel}
                onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}
              />
              {String(value ?? "") === "" && !disabled && (
                <span>
                  <Button onClick={() => onChange(field.starter)}>{field.insertLabel}</Button>
                </span>
              )}
            </>
          )}
        </Field>
      );
    case "lines":
      return (
        <LinesField
          id={id}
          label={field.label}
          hint={field.hint}
          error={issue}
          placeholder={field.placeholder}
          value={(value as string[] | undefined) ?? []}
          onChange={onChange}
        />
      );
    case "texts":
      return (
        <TranslatedTextField
          id={id}
          label={field.label}
          hint={field.hint}
          error={issue}
          value={(value as Record<string, string> | undefined) ?? {}}
          onChange={(texts) => onChange(Object.keys(texts).length > 0 ? texts : undefined)}
        />
      );
    case "questions":
    case "rules": {
      const Editor = field.kind === "questions" ? QuestionsEditor : RulesEditor;
      return <Editor id={id} {...control} />;
    }
    default:
      return (
        <Field id={id} label={field.label} hint={field.hint} error={issue}>
          {(wiring) => (
            <span className="max-w-md">
              <Input
                {...wiring}
                type={field.kind}
                placeholder={field.placeholder}
                value={String(value ?? "")}
                onChange={({ target }) => onChange(blankOf(field.blank, target.value))}
              />
            </span>
          )}
        </Field>
      );
  }
}

const hours = Array.from({ length: 25 }, (_, hour) => ({
  hour,
  label: `${String(hour).padStart(2, "0")}:00`,
}));

type HoursProps = {
  id: string;
  field: FieldDef;
  issue: string | undefined;
  value: unknown;
  onChange: (value: unknown) => void;
};

/** Hours in which something may happen; the whole day means no setting. */
function Hours({ id, field, issue, value, onChange }: HoursProps) {
  const t = useTranslations();
  const [from, to] = (value as [number, number] | undefined) ?? [0, 24];
  const set = (next: [number, number]) => onChange(next[0] === 0 && next[1] === 24 ? undefined : next);
  return (
    <Field id={id} label={field.label} hint={field.hint} error={issue}>
      {(wiring) => (
        <span className="flex items-center gap-2 text-sm">
          <span className="w-28">
            <Select {...wiring} value={from} onChange={({ target }) => set([Number(target.value), to])}>
              {hours.slice(0, 24).map(({ hour, label }) => (
                <option key={hour} value={hour}>
                  {label}
                </option>
              ))}
            </Select>
          </span>
          {t("settings.and")}
          <span className="w-28">
            <Select
              aria-label={t("settings.untilLabel", { label: field.label })}
              value={to}
              onChange={({ target }) => set([from, Number(target.value)])}
            >
              {hours.slice(1).map(({ hour, label }) => (
                <option key={hour} value={hour}>
                  {label}
                </option>
              ))}
            </Select>
          </span>
        </span>
      )}
    </Field>
  );
}
