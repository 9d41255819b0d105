"use client";

import { useState } from "react";
import { Field, TextArea } from "@/components/ui/field";

type Props = {
  id: string;
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  placeholder?: string | undefined;
  value: readonly string[];
  onChange: (value: string[]) => void;
};

const splitLines = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** A list of short texts, one per line. Keeps what is typed unchanged while typing. */
export function LinesField({ id, label, hint, error, placeholder, value, onChange }: Props) {
  const [typed, setTyped] = useState(value.join("\n"));
  // Show the value instead if the list was changed elsewhere (saved or discarded).
  const text = JSON.stringify(splitLines(typed)) === JSON.stringify(value) ? typed : value.join("\n");
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      {(wiring) => (
        <TextArea
          {...wiring}
          className="min-h-20 font-mono text-sm"
          rows={Math.min(8, Math.max(3, value.length + 1))}
          spellCheck={false}
          placeholder={placeholder}
          value={text}
          onChange={({ target }) => {
            setTyped(target.value);
            onChange(splitLines(target.value));
          }}
        />
      )}
    </Field>
  );
}
