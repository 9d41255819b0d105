import clsx from "clsx";
import type { ReactNode } from "react";
import { FieldIssue, OptionalLabel } from "@/components/forms/form-parts";
import { Field, TextArea } from "@/components/ui/field";
import type { FormQuestion, FormText } from "@/lib/forms/schema";

type Props = {
  question: FormQuestion;
  name: string;
  values: string[];
  error: string | undefined;
  t: FormText;
};

const choiceClass = clsx(
  "relative flex min-h-11 cursor-pointer items-center rounded-control border bg-raised px-3.5 py-1.5 text-sm hover:bg-sunken",
  "has-checked:border-accent has-checked:bg-accent-soft has-checked:font-medium has-focus-visible:outline-2 has-focus-visible:outline-accent",
);

/** Radios or checkboxes for a few options, styled like buttons. */
export function Choices({
  name,
  label,
  options,
  values,
  multiple = false,
  error,
}: {
  name: string;
  label: ReactNode;
  options: { id: string; label: string }[];
  values: string[];
  multiple?: boolean;
  error?: string | undefined;
}) {
  return (
    <fieldset
      id={name}
      aria-describedby={error ? `${name}-error` : undefined}
      tabIndex={-1}
      className="flex flex-col outline-none"
    >
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <div className="flex flex-wrap gap-2">
        {options.map((option) => (
          <label key={option.id} className={clsx(choiceClass, error ? "border-bad" : "border-edge")}>
            <input
              type={multiple ? "checkbox" : "radio"}
              name={name}
              value={option.id}
              defaultChecked={values.includes(option.id)}
              className="absolute inset-0 size-full cursor-pointer opacity-0"
            />
            {option.label}
          </label>
        ))}
      </div>
      {error && <FieldIssue id={`${name}-error`}>{error}</FieldIssue>}
    </fieldset>
  );
}

export function QuestionField({ question, name, values, error, t }: Props) {
  const label = question.required ? question.label : <OptionalLabel t={t}>{question.label}</OptionalLabel>;
  if (question.type === "text") {
    return (
      <Field id={name} label={label} error={error}>
        {(wiring) => (
          <TextArea {...wiring} name={name} defaultValue={values[0] ?? ""} maxLength={2_000} className="min-h-20" />
        )}
      </Field>
    );
  }
  const options =
    question.type === "score" ? ["1", "2", "3", "4", "5"].map((id) => ({ id, label: id })) : question.options;
  return (
    <Choices
      name={name}
      label={label}
      options={options}
      values={values}
      multiple={question.type === "select" && question.multiple}
      error={error}
    />
  );
}
