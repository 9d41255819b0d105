import clsx from "clsx";
import { useTranslations } from "#messages";
import { segmentClass, segmentsClass } from "@/components/ui/segments";

type Props = { compact: boolean; action: (form: FormData) => Promise<void> };

/** Selects how much space the rows of lists have. Plain form buttons: it works without JavaScript. */
export function RowsSwitch({ compact, action }: Props) {
  const t = useTranslations();
  const choices = [
    { value: "comfortable", name: t("myAccount.rowsComfortable"), current: !compact },
    { value: "compact", name: t("myAccount.rowsCompact"), current: compact },
  ];
  return (
    <form action={action} aria-labelledby="rows" className={clsx(segmentsClass, "flex w-fit")}>
      {choices.map(({ value, name, current }) => (
        <button key={value} type="submit" name="rows" value={value} aria-pressed={current} className={segmentClass}>
          {name}
        </button>
      ))}
    </form>
  );
}
