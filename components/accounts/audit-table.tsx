import { actionWords, detailWords } from "@/components/accounts/audit-words";
import { Badge } from "@/components/ui/badge";
import { Cell, Head, Row, Table } from "@/components/ui/table";
import { momentWords } from "@/components/ui/time";
import type { AuditLine } from "@/lib/accounts/schema";

/** Who did what, and when. */
export function AuditTable({ lines, timeZone }: { lines: AuditLine[]; timeZone: string }) {
  return (
    <Table caption="Audit">
      <thead>
        <tr>
          <Head>When</Head>
          <Head>Who</Head>
          <Head>What</Head>
          <Head>Particulars</Head>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <Row key={line.id}>
            <Cell className="figures whitespace-nowrap text-muted">{momentWords(line.at, timeZone)}</Cell>
            <Cell className="max-w-48 break-words">
              {line.by ?? <span className="text-muted">Not known any more</span>}
              {line.by_kind === "key" && <span className="block text-xs text-muted">key</span>}
            </Cell>
            <Cell className="min-w-40">
              <span className="block font-medium">{actionWords(line.action)}</span>
              {line.subject_name && line.subject !== line.by_id && (
                <span className="block max-w-56 break-words text-muted">{line.subject_name}</span>
              )}
              {line.whole_account && <Badge>Whole account</Badge>}
            </Cell>
            <Cell className="max-w-96 min-w-44 break-words text-muted">{detailWords(line)}</Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}
