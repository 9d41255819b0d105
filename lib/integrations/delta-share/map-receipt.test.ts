import { describe, expect, it } from "vitest";
import { mapReceipt, remainingQuantities } from "./map-receipt";
import { ShareSettings } from "./settings";
import type { ReceiptLineRow, ReceiptRow } from "./sql";

const receipt = {
  id: "r-1",
  contact_id: "c-1",
  data: {},
  contact: { customer_id: "c-1", data: {} },
  store: null,
} as ReceiptRow;
const aLine = (id: string, data: ReceiptLineRow["data"] = {}): ReceiptLineRow => ({
  id,
  receipt_id: data.returned ? "r-2" : "r-1",
  contact_id: "c-1",
  sku: "LAMP",
  at: data.returned ? "2026-01-09T00:00:00Z" : "2026-01-04T00:00:00Z",
  data: { quantity: 1, ...data },
  article: null,
});

const returned = [aLine("bought"), aLine("back", { returned: true })];
const revoked = [{ ...aLine("revoked"), at: "" }];
const kept = [aLine("kept")];

describe.each([true, false])("an item of a receipt, with invite_returned %s", (invite_returned) => {
  /** `lines` are what the platform has, revoked ones are those it withdrew. */
  const fields = (lines: ReceiptLineRow[], revokedLines: ReceiptLineRow[] = []) => {
    const own = [...lines, ...revokedLines].filter(({ receipt_id }) => receipt_id === receipt.id);
    return [own, own.toReversed()].map((inOrder) => {
      const mapped = mapReceipt(receipt, inOrder, {
        settings: ShareSettings.parse({ invite_returned }),
        timeZone: "UTC",
        remaining: remainingQuantities(lines),
      });
      if (!("order" in mapped)) throw new Error(JSON.stringify(mapped));
      return mapped.order.items.map(({ returned, reviewable, delivery_date }) => ({
        returned,
        reviewable,
        dated: delivery_date !== null,
      }));
    });
  };
  const twice = (item: { returned?: boolean; reviewable?: boolean }, dated = true) =>
    [1, 2].map(() => [{ dated, ...item }]);
  const reviewable = invite_returned ? undefined : false;

  it("is returned by lines of returns", () => {
    expect(fields(kept)).toEqual(twice({ returned: false }));
    expect(fields(returned)).toEqual(twice({ returned: true, reviewable }));
  });

  it("is neither returned nor reviewable if the platform revoked all its lines", () => {
    expect(fields([], revoked)).toEqual(twice({ reviewable: false }, false));
    expect(fields([], [...revoked, { ...aLine("other"), at: "" }])).toEqual(twice({ reviewable: false }, false));
  });

  it("is as without a revoked line if it has others", () => {
    expect(fields(returned, revoked)).toEqual(twice({ returned: true, reviewable }));
    expect(fields(kept, revoked)).toEqual(twice({ returned: false }));
  });
});
