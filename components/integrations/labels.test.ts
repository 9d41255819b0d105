import { expect, it } from "vitest";
import { deliveryKindLabel, deliveryReasonLabel } from "@/components/integrations/delivery-labels";
import { hostOf, integrationState } from "@/components/integrations/labels";
import { formatCounts, formatProgress } from "@/components/integrations/run-labels";
import { urlBeside } from "@/components/integrations/url-beside";
import { english } from "@/lib/platform/i18n/english";

it("formats counts, reasons and hosts briefly", () => {
  expect(formatCounts({ skipped: 1, broken_rows: 0, imported: 12 }, english)).toBe("12 orders imported, 1 skipped");
  expect(formatCounts({ products: 1, orders: 3, files: 2 }, english)).toBe("2 files read, 1 product, 3 orders");
  expect(formatCounts({}, english)).toBe("Nothing new");
  expect(formatProgress({ read: 40, imported: 0 }, english)).toBe("40 records read so far");
  expect(formatProgress({}, english)).toBe("just started");
  expect(deliveryKindLabel("interaction", english)).toBe("Review interaction");
  expect(deliveryKindLabel("receipt.new_one", english)).toBe("receipt new one");
  expect(deliveryReasonLabel("no_contact", english)).toContain("no contact");
  expect(deliveryReasonLabel("something_new", english)).toBe("something new");
  for (const own of ["State to_ship is skipped.", "SKU_9_B"]) expect(deliveryReasonLabel(own, english)).toBe(own);
  expect(hostOf({ schema_id: "completed", base_url: "https://shop.voyado.com/x" })).toBe("shop.voyado.com");
  expect(hostOf({ page_size: 100 })).toBeNull();
});

it("calls a system active once it has run", () => {
  const fresh = { state: "active", last_run_at: null, running: false } as const;
  const ran = { ...fresh, last_run_at: "2026-02-01T10:00:00Z" };
  const stateOf = (given: Parameters<typeof integrationState>[0]) => english(integrationState(given).word);
  expect(stateOf(fresh)).toBe("Not synced yet");
  expect(stateOf({ ...fresh, running: true })).toBe("Syncing");
  expect(stateOf(ran)).toBe("Active");
  expect(stateOf({ ...ran, running: true })).toBe("Active");
  expect(stateOf({ ...fresh, state: "paused" })).toBe("Paused");
  expect(stateOf({ ...fresh, state: "failing" })).toBe("Failing");
});

it("leaves out a webhook's URL that its delivery's summary contains", () => {
  const url = "https://hooks.shop.example/in";
  expect(urlBeside("Answered with 500.", url)).toBe(url);
  expect(urlBeside(`${url} could not be reached.`, url)).toBeNull();
});
