import { useTranslations } from "#messages";
import { reasonLabels } from "@/components/invitations/labels";
import { EmptyState } from "@/components/ui/empty-state";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";
import type { NotInvitedReason } from "@/lib/invitations/rules";
import { formatDay } from "@/lib/platform/i18n/format";
import type { MessageKey } from "@/lib/platform/i18n/translator";
import { type CountedEvent, countedEvents, type Recording } from "@/lib/test-clock/schema";

const reasons: Record<NotInvitedReason, MessageKey> = {
  ...reasonLabels,
  not_reviewable: "orders.notInCatalog",
  excluded: "orders.excluded",
  failed: "orders.emailFailed",
};

const events: Record<CountedEvent, MessageKey> = {
  orders: "testClock.orders",
  invitations: "testClock.invitations",
  reminders: "testClock.reminders",
  expired: "testClock.expired",
  emails: "testClock.emails",
  reviews: "testClock.reviews",
  published: "testClock.published",
  questions: "testClock.questions",
  webhooks: "testClock.webhooks",
  deleted: "testClock.deleted",
};

/** What happened at a test store, by day. */
export function RecordingTable({ recording }: { recording: Recording }) {
  const t = useTranslations();
  if (recording.days.length === 0)
    return <EmptyState title={t("testClock.emptyTitle")}>{t("testClock.emptyText")}</EmptyState>;
  return (
    <Table caption={t("testClock.recordingOf", { name: recording.name })} stacks>
      <Heads>
        <Head className="w-40">{t("testClock.day")}</Head>
        <Head>{t("testClock.happened")}</Head>
      </Heads>
      <Rows>
        {recording.days.map(({ day, counts, not_invited }) => (
          <Row key={day}>
            <Cell label={t("testClock.day")} className="figures whitespace-nowrap">
              {formatDay(day, t.language)}
            </Cell>
            <Cell label={t("testClock.happened")}>
              <ul className="flex flex-wrap gap-x-5 gap-y-1">
                {countedEvents.map((event) => {
                  const n = counts[event];
                  return n ? <li key={event}>{t(events[event], { n })}</li> : null;
                })}
                {Object.entries(not_invited).map(([reason, count]) => (
                  <li key={reason} className="text-muted">
                    {t("testClock.notInvited", { reason: t(reasons[reason as NotInvitedReason]), count })}
                  </li>
                ))}
              </ul>
            </Cell>
          </Row>
        ))}
      </Rows>
    </Table>
  );
}
