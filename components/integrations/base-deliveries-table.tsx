import type { ReactNode } from "react";
import { useTranslations } from "#messages";
import { Badge, type Tone } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";

/** A delivery to another system, or a record imported from it. */
export type DeliveryRow = {
  id: string;
  label: string;
  /** the record's subject; null if it has none */
  subject: { id: string; href: string | null } | null;
  state: { word: string; tone: Tone };
  response: ReactNode;
  at: string;
  /** button to retry it */
  retryButton: ReactNode;
};

type Props = {
  caption: string;
  headings: { label: string; response: string; at: string };
  /** whether any row can be retried */
  canRetry: boolean;
  rows: DeliveryRow[];
};

/** Deliveries to another system and imported records, with their results. */
export function BaseDeliveriesTable({ caption, headings, canRetry, rows }: Props) {
  const t = useTranslations();
  return (
    <Table caption={caption} stacks>
      <Heads>
        <Head>{headings.label}</Head>
        <Head>{t("common.status")}</Head>
        <Head>{headings.response}</Head>
        <Head>{headings.at}</Head>
        {canRetry && (
          <Head>
            <span className="sr-only">{t("webhooks.actions")}</span>
          </Head>
        )}
      </Heads>
      <Rows>
        {rows.map(({ id, label: kindLabel, subject, state, response, at, retryButton }) => (
          <Row key={id}>
            <Cell>
              <span className="font-medium">{kindLabel}</span>
              {subject && <Subject {...subject} />}
            </Cell>
            <Cell label={t("common.status")}>
              <Badge tone={state.tone}>{state.word}</Badge>
            </Cell>
            <Cell label={headings.response} className="min-w-56 text-muted">
              {response}
            </Cell>
            <Cell label={headings.at} className="whitespace-nowrap">
              {at}
            </Cell>
            {canRetry && <Cell className="text-right">{retryButton}</Cell>}
          </Row>
        ))}
      </Rows>
    </Table>
  );
}

/** Linked if it has a page in the portal. */
function Subject({ id, href }: NonNullable<DeliveryRow["subject"]>) {
  const className = "block w-fit min-w-36 font-mono text-xs break-all text-muted";
  if (href === null) return <span className={className}>{id}</span>;
  return (
    <Link href={href} className={`${className} hover:underline`}>
      {id}
    </Link>
  );
}
