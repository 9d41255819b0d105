import { Search } from "lucide-react";
import { useTranslations } from "#messages";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";

type Props = {
  action: string;
  name: string;
  label: string;
  value: string | undefined;
  /** other parameters of the address to keep */
  hiddenFields?: Record<string, string | undefined>;
};

/** A search as a plain GET form: its result has an address, and it works without JavaScript. */
export function SearchForm({ action, name, label, value, hiddenFields = {} }: Props) {
  const t = useTranslations();
  return (
    <search>
      <form action={action} className="flex gap-2">
        {Object.entries(hiddenFields).map(
          ([fieldName, fieldValue]) =>
            fieldValue !== undefined && <input key={fieldName} type="hidden" name={fieldName} value={fieldValue} />,
        )}
        <div className="relative min-w-0 flex-1 sm:w-80 sm:flex-none">
          <Search aria-hidden="true" className="pointer-events-none absolute top-3 left-3 size-4 text-muted" />
          <Input
            type="search"
            name={name}
            defaultValue={value}
            maxLength={320}
            aria-label={label}
            placeholder={label}
            className="pl-9"
          />
        </div>
        <Button type="submit">{t("common.search")}</Button>
      </form>
    </search>
  );
}
