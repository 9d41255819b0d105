import { type ComponentProps, useId } from "react";
import { Input } from "@/components/ui/field";

type Props = ComponentProps<typeof Input> & {
  /** its name for screen readers, and shown while it is empty */
  label: string;
  /** values to select from; others can be typed */
  suggestions: string[];
};

/** A text field with suggestions, for a row of filters. */
export function SuggestedInput({ label, suggestions, ...rest }: Props) {
  const id = useId();
  return (
    <>
      <Input {...rest} list={id} aria-label={label} placeholder={label} compact />
      <datalist id={id}>
        {suggestions.map((suggestion) => (
          <option key={suggestion} value={suggestion} />
        ))}
      </datalist>
    </>
  );
}
