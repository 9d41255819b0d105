import type { ReactNode } from "react";
import { useTranslations } from "#messages";
import { Badge, type Tone } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";

/** One thing that another system was told, or that was taken over from it. */
export type Exchange = {
  id: string;
  what: string;
  /** what it is about; null: nothing in particular */
  subject: { id: string; href: string | null } | null;
  state: { word: string; tone: Tone };
  cameBack: ReactNode;
  at: string;
  /** has it done again */
  again: ReactNode;
};

type Props = {
  caption: string;
  heads: { what: string; at: string };
  /** whether any of it can be done again */
  canRepeat: boolean;
  exchanges: Exchange[];
};

/** What passed between here and another system, and what came of it. */
export function ExchangesTable({ caption, heads, canRepeat, exchanges }: Props) {
  const t = useTranslations();
  return (
    <Table caption={caption} stacks>
      <Heads>
        <Head>{heads.what}</Head>
        <Head>{t("common.status")}</Head>
        <Head>{t("integrations.responseColumn")}</Head>
        <Head>{heads.at}</Head>
        {canRepeat && (
          <Head>
            <span className="sr-only">{t("webhooks.actions")}</span>
          </Head>
        )}
      </Heads>
      <Rows>
        {exchanges.map(({ id, what, subject, state, cameBack, at, again }) => (
          <Row key={id}>
            <Cell>
              <span className="font-medium">{what}</span>
              {subject && <Subject {...subject} />}
            </Cell>
            <Cell label={t("common.status")}>
              <Badge tone={state.tone}>{state.word}</Badge>
            </Cell>
            <Cell label={t("integrations.responseColumn")} className="min-w-56 text-muted">
              {cameBack}
            </Cell>
            <Cell label={heads.at} className="whitespace-nowrap">
              {at}
            </Cell>
            {canRepeat && <Cell className="text-right">{again}</Cell>}
          </Row>
        ))}
      </Rows>
    </Table>
  );
}

/** With a link, where it has a page here. */
function Subject({ id, href }: NonNullable<Exchange["subject"]>) {
  const className = "block w-fit min-w-36 font-mono text-xs break-all text-muted";
  if (href === null) return <span className={className}>{id}</span>;
  return (
    <Link href={href} className={`${className} hover:underline`}>
      {id}
    </Link>
  );
}
