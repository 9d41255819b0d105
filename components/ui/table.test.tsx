import { expect, it } from "vitest";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";
import { renderInEnglish } from "@/lib/tools/test/render";

it("sets ARIA roles on all parts of a table, for browsers that don't treat blocks as a table", () => {
  const html = renderInEnglish(
    <Table caption="Orders" stacks>
      <Heads>
        <Head>Order</Head>
      </Heads>
      <Rows>
        <Row>
          <Cell label="Order">1</Cell>
        </Row>
      </Rows>
    </Table>,
  );
  const roles = [...html.matchAll(/<(table|thead|tbody|tr|th|td)\b[^>]*?role="(\w+)"/g)].map(([, tag, role]) => [
    tag,
    role,
  ]);
  expect(roles).toEqual([
    ["table", "table"],
    ["thead", "rowgroup"],
    ["tr", "row"],
    ["th", "columnheader"],
    ["tbody", "rowgroup"],
    ["tr", "row"],
    ["td", "cell"],
  ]);
});
