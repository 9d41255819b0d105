import { expect, it } from "vitest";
import { translateNoticeFields } from "@/components/integrations/translate-notices";
import { translateNotices } from "@/lib/platform/i18n/translate-errors";
import { encodeIssues, encodeNotices, withNotices } from "@/lib/platform/notices";

const german = await translateNotices("de");
const english = await translateNotices("en");

it("translates what a run reports, and leaves the rest as it is", () => {
  const error = encodeNotices(
    { reason: "shop_failed", params: { resource: "orders", status: 500 } },
    { reason: "shop_says", params: { said: "No such entity. Try {n}" } },
  );
  const run = withNotices({ id: "run_1", error, warning: null, counts: { read: 1 } }, "error", "warning");
  expect(run.error).toBe(
    "The store returned an error for orders (500). Response from the store: “No such entity. Try {n}”",
  );
  expect(translateNoticeFields(run, german)).toMatchObject({
    id: "run_1",
    error: "Der Shop hat für orders einen Fehler zurückgegeben (500). Antwort des Shops: „No such entity. Try {n}“",
    warning: null,
    counts: { read: 1 },
  });
});

it("names the fields of issues like the portal", () => {
  const reason = encodeIssues(
    [
      { field: "order.items[0].id", reason: "empty" },
      { field: "order.customer.email", reason: "not_an_email" },
    ],
    "order",
  );
  const line = withNotices({ reason }, "reason");
  expect(line.reason).toBe("items[0].id must not be empty. customer.email must be an email address.");
  expect(translateNoticeFields(line, german).reason).toBe(
    "Artikel (1), ID: Darf nicht leer sein. Kunde, E-Mail-Adresse: Muss eine E-Mail-Adresse sein.",
  );
  expect(translateNoticeFields(line, english).reason).toBe(
    "Items (1), ID: It must not be empty. Customer, Email address: It must be an email address.",
  );
});

it("keeps codes and texts of earlier releases", () => {
  for (const reason of ["no_contact", "The store is unavailable (503).", null]) {
    const line = withNotices({ reason }, "reason");
    expect(line).toEqual({ reason });
    expect(translateNoticeFields(line, german)).toEqual({ reason });
  }
});
