import { Play } from "lucide-react";
import { useTranslations } from "#messages";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { FieldFrame } from "@/components/ui/field-frame";

type Props = {
  clientId: string | undefined;
  days: string;
  fields: { name: string; label: string; hint: string; value: string; error: string | undefined }[];
};

/** The settings to simulate: a plain GET form, so that a simulation has an address and can be shared. */
export function SimulationForm({ clientId, days, fields }: Props) {
  const t = useTranslations();
  return (
    <form
      action="/portal/settings/invitations"
      className="rounded-card border border-line bg-raised p-4 shadow-raised sm:p-5"
    >
      {clientId !== undefined && <input type="hidden" name="client_id" value={clientId} />}
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        {fields.map(({ name, label, hint, value, error }) => (
          <FieldFrame key={name} id={name} label={label} hint={hint} error={error}>
            {(wiring) => <Input {...wiring} name={name} inputMode="numeric" autoComplete="off" defaultValue={value} />}
          </FieldFrame>
        ))}
      </div>
      <div className="mt-4 flex flex-wrap items-center gap-3 border-t border-line pt-4">
        <label htmlFor="days" className="text-sm">
          {t("invitations.deliveredInLast")}
        </label>
        <Input
          id="days"
          name="days"
          compact
          inputMode="numeric"
          autoComplete="off"
          defaultValue={days}
          className="w-18"
          aria-label={t("invitations.simulatedDays")}
        />
        <span className="text-sm">{t("common.days")}</span>
        <Button type="submit" variant="primary" className="ml-auto">
          <Play aria-hidden="true" className="size-4" />
          {t("invitations.simulate")}
        </Button>
      </div>
    </form>
  );
}
