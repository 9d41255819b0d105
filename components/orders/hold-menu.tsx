"use client";

import { CalendarDays, CircleSlash, Hand } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslations } from "#messages";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Menu, MenuItem, MenuLabel, MenuSeparator, type MenuTrigger } from "@/components/ui/menu";
import { formatDay } from "@/lib/platform/i18n/format";

const DAY_MS = 86_400_000;
const addDays = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);

export const durations = [
  ["orders.oneWeek", 7],
  ["orders.twoWeeks", 14],
  ["orders.oneMonth", 30],
] as const;

type Props = {
  /** what is paused, for screen readers */
  name: string;
  /** today in the client's time zone */
  today: string;
  /** called with the day on which invitations resume; null: never */
  onHold: (until: string | null) => void;
  children: MenuTrigger;
};

/** How long to pause: common periods, any day, or indefinitely. */
export function HoldMenu({ name, today, onHold, children }: Props) {
  const t = useTranslations();
  const [picking, setPicking] = useState(false);
  const pick = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const until = new FormData(event.currentTarget).get("until");
    if (typeof until !== "string" || until <= today) return;
    setPicking(false);
    onHold(until);
  };
  return (
    <>
      <Menu label={t("orders.pauseMenu", { name })} trigger={children}>
        <MenuLabel>{t("orders.pauseFor")}</MenuLabel>
        {durations.map(([words, days]) => (
          <MenuItem key={days} onSelect={() => onHold(addDays(today, days))}>
            <button type="button">
              <Hand aria-hidden="true" className="size-4 text-muted" />
              {t(words)}
              <span className="ml-auto pl-4 text-xs text-muted">
                {t("orders.untilDay", { day: formatDay(addDays(today, days), t.language) })}
              </span>
            </button>
          </MenuItem>
        ))}
        <MenuItem onSelect={() => setPicking(true)}>
          <button type="button">
            <CalendarDays aria-hidden="true" className="size-4 text-muted" />
            {t("orders.selectDate")}
          </button>
        </MenuItem>
        <MenuSeparator />
        <MenuItem onSelect={() => onHold(null)}>
          <button type="button">
            <CircleSlash aria-hidden="true" className="size-4 text-muted" />
            {t("orders.indefinitely")}
          </button>
        </MenuItem>
      </Menu>
      <Dialog
        open={picking}
        onOpenChange={setPicking}
        title={t("orders.pauseUntilTitle")}
        description={t("orders.pauseUntilText")}
      >
        <form onSubmit={pick} className="flex flex-wrap items-end gap-3">
          <Field id="hold-until" label={t("orders.until")} className="min-w-44 flex-1">
            {(wiring) => (
              <Input
                {...wiring}
                type="date"
                name="until"
                required
                min={addDays(today, 1)}
                defaultValue={addDays(today, 7)}
              />
            )}
          </Field>
          <Button type="submit" variant="primary">
            {t("orders.pause")}
          </Button>
        </form>
      </Dialog>
    </>
  );
}
