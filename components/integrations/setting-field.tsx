"use client";

import type { FieldDef } from "@/components/integrations/forms";
import { LinesField } from "@/components/settings/lines-field";
import { Field, Input } from "@/components/ui/field";
import { Switch } from "@/components/ui/switch";

type Props = {
  field: FieldDef;
  value: unknown;
  issue: string | undefined;
  onChange: (value: unknown) => void;
};

export const settingControlId = (name: string): string => `integration-${name.replaceAll("_", "-")}`;

/** A setting of a connection: label, hint, control and issue. */
export function SettingField({ field, value, issue, onChange }: Props) {
  const id = settingControlId(field.name);
  const text = value === null || value === undefined ? "" : String(value);
  const fieldProps = { id, label: field.label, hint: field.hint, error: issue };
  switch (field.kind) {
    case "switch":
      return (
        <Switch id={id} label={field.label} checked={value === true} error={issue} onChange={onChange}>
          {value === true ? field.on : field.off}
        </Switch>
      );
    case "lines":
      return (
        <LinesField
          {...fieldProps}
          placeholder={field.placeholder}
          value={Array.isArray(value) ? value.map(String) : []}
          onChange={onChange}
        />
      );
    case "choice":
    case "sequence": {
      const isList = field.kind === "sequence";
      return (
        <Choice
          field={field}
          issue={issue}
          chosen={(option) => option === (isList && Array.isArray(value) ? value.join(",") : value)}
          onSelect={(option) => onChange(isList ? option.split(",") : option)}
        />
      );
    }
    case "several": {
      const selectedValues: string[] = Array.isArray(value) ? value.map(String) : [];
      return (
        <Choice
          field={field}
          issue={issue}
          isMultiple
          chosen={(option) => selectedValues.includes(option)}
          onSelect={(option) =>
            onChange(
              selectedValues.includes(option)
                ? selectedValues.filter((one) => one !== option)
                : [...selectedValues, option],
            )
          }
        />
      );
    }
    case "number":
      return (
        <Field {...fieldProps}>
          {(wiring) => (
            <span className="flex items-center gap-2">
              <span className="w-24">
                <Input
                  {...wiring}
                  inputMode="decimal"
                  className="figures"
                  placeholder={field.none}
                  value={text}
                  onChange={({ target }) => {
                    const typed = target.value.trim();
                    if (typed === "") onChange(field.blank === null ? null : "");
                    // Keep the typed text until it is a number.
                    else
                      onChange(/^\d{1,6}([.,]\d{1,3})?$/.test(typed) ? Number(typed.replace(",", ".")) : target.value);
                  }}
                />
              </span>
              <span className="text-sm text-muted">{field.unit}</span>
            </span>
          )}
        </Field>
      );
    default:
      return (
        <Field {...fieldProps}>
          {(wiring) => (
            <span className={field.kind === "url" ? undefined : "max-w-60"}>
              <Input
                {...wiring}
                type={field.kind === "day" ? "date" : field.kind}
                maxLength={2_000}
                autoComplete="off"
                spellCheck={false}
                placeholder={"placeholder" in field ? field.placeholder : undefined}
                value={text}
                onChange={({ target }) =>
                  onChange(target.value === "" && "blank" in field ? (field.blank ?? "") : target.value)
                }
              />
            </span>
          )}
        </Field>
      );
  }
}

type ChoiceProps = {
  field: FieldDef & { kind: "choice" | "sequence" | "several" };
  issue: string | undefined;
  isMultiple?: boolean;
  chosen: (option: string) => boolean;
  onSelect: (option: string) => void;
};

/** Options side by side or below each other, each with a hint. */
function Choice({ field, issue, isMultiple = false, chosen, onSelect: onChoose }: ChoiceProps) {
  const id = settingControlId(field.name);
  return (
    <fieldset
      aria-describedby={[field.hint && `${id}-hint`, issue && `${id}-error`].filter(Boolean).join(" ") || undefined}
      className="min-w-0"
    >
      <legend className="text-sm font-medium">{field.label}</legend>
      {field.hint && (
        <p id={`${id}-hint`} className="mb-2 text-sm text-muted">
          {field.hint}
        </p>
      )}
      <div className={isMultiple ? "flex flex-wrap gap-2" : "flex flex-col gap-2"}>
        {field.options.map(({ value, label, hint }, index) => (
          <label
            key={value}
            className="flex gap-2.5 rounded-control border border-line px-3 py-2.5 text-sm hover:bg-sunken/50 has-checked:border-accent has-checked:bg-accent-soft/50"
          >
            <input
              id={index === 0 ? id : undefined}
              type={isMultiple ? "checkbox" : "radio"}
              name={field.name}
              checked={chosen(value)}
              onChange={() => onChoose(value)}
              aria-describedby={hint ? `${id}-${value}-hint` : undefined}
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            <span className="min-w-0">
              <span className="font-medium">{label}</span>
              {hint && (
                <span id={`${id}-${value}-hint`} className="block text-muted">
                  {hint}
                </span>
              )}
            </span>
          </label>
        ))}
      </div>
      {issue && (
        <p id={`${id}-error`} className="mt-1.5 text-sm font-medium text-bad">
          {issue}
        </p>
      )}
    </fieldset>
  );
}
