import { expect, it } from "vitest";
import { countsStory, deliveryWords, hostOf, progressStory, reasonWords } from "@/components/integrations/words";

it("says counts, reasons and hosts in a few words", () => {
  expect(countsStory({ orders: 12, broken_rows: 0, skipped: 1 })).toBe("12 orders, 1 skipped");
  expect(countsStory({})).toBe("nothing new");
  expect(progressStory({ read: 40, imported: 0 })).toBe("40 read so far");
  expect(progressStory({})).toBe("it has just begun");
  expect(deliveryWords("interaction")).toBe("Review as an interaction");
  expect(deliveryWords("receipt.new_one")).toBe("receipt new one");
  expect(reasonWords("no_contact")).toContain("does not know");
  expect(reasonWords("something_new")).toBe("something new");
  for (const own of ["State to_ship is skipped.", "SKU_9_B"]) expect(reasonWords(own)).toBe(own);
  expect(hostOf({ schema_id: "completed", base_url: "https://shop.voyado.com/x" })).toBe("shop.voyado.com");
  expect(hostOf({ page_size: 100 })).toBeNull();
});
