import { useTranslations } from "#messages";
import { subjectLabel } from "@/components/accounts/audit-labels";
import { Button } from "@/components/ui/button";
import { Input, Select } from "@/components/ui/field";
import { FieldFrame } from "@/components/ui/field-frame";
import { auditSubjects } from "@/lib/accounts/schema";

type Props = {
  action: string;
  clientId: string | undefined;
  /** people who may have acted, by id */
  actors: { id: string; name: string }[];
  what: string | undefined;
  who: string | undefined;
  from: string | undefined;
  to: string | undefined;
};

/** Filters as a plain GET form, so that a search has an address. */
export function AuditFilters({ action, clientId, actors, what, who, from, to }: Props) {
  const t = useTranslations();
  return (
    <form action={action} className="mb-5 flex flex-wrap items-end gap-3">
      {clientId !== undefined && <input type="hidden" name="client_id" value={clientId} />}
      <FieldFrame id="audit-what" label={t("common.event")} className="min-w-36 flex-1 sm:flex-none">
        {(wiring) => (
          <Select {...wiring} name="what" defaultValue={what ?? ""}>
            <option value="">{t("common.everything")}</option>
            {auditSubjects.map((subject) => (
              <option key={subject} value={subject}>
                {subjectLabel(subject, t)}
              </option>
            ))}
          </Select>
        )}
      </FieldFrame>
      <FieldFrame id="audit-who" label={t("audit.who")} className="min-w-36 flex-1 sm:w-52 sm:flex-none">
        {(wiring) => (
          <Select {...wiring} name="who" defaultValue={who ?? ""}>
            <option value="">{t("audit.everyone")}</option>
            {who !== undefined && !actors.some(({ id }) => id === who) && <option value={who}>{who}</option>}
            {actors.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </FieldFrame>
      <FieldFrame id="audit-from" label={t("common.from")} className="min-w-36 flex-1 sm:flex-none">
        {(wiring) => <Input {...wiring} type="date" name="from" defaultValue={from} />}
      </FieldFrame>
      <FieldFrame id="audit-to" label={t("common.to")} className="min-w-36 flex-1 sm:flex-none">
        {(wiring) => <Input {...wiring} type="date" name="to" defaultValue={to} />}
      </FieldFrame>
      <Button type="submit">{t("common.applyFilter")}</Button>
    </form>
  );
}
