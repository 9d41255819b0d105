import { useTranslations } from "#messages";

type Props = { compact: boolean; action: (form: FormData) => Promise<void> };

/** Selects how much space the rows of lists have. Plain form buttons: it works without JavaScript. */
export function RowsSwitch({ compact, action }: Props) {
  const t = useTranslations();
  const choices = [
    { value: "comfortable", name: t("myAccount.rowsComfortable"), current: !compact },
    { value: "compact", name: t("myAccount.rowsCompact"), current: compact },
  ];
  return (
    <form action={action} aria-labelledby="rows" className="flex w-fit rounded-control bg-sunken p-0.5">
      {choices.map(({ value, name, current }) => (
        <button
          key={value}
          type="submit"
          name="rows"
          value={value}
          aria-pressed={current}
          className="flex h-9 items-center rounded-[0.4rem] px-3 text-sm font-medium text-muted hover:text-ink aria-pressed:bg-lifted aria-pressed:text-ink aria-pressed:shadow-raised lg:h-8"
        >
          {name}
        </button>
      ))}
    </form>
  );
}
