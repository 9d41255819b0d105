import { expect, it } from "vitest";
import { configDetails, dataKindLabels, details, detailsText, subjectLabel } from "@/components/accounts/audit-labels";
import { ClientSettings } from "@/lib/accounts/stores/settings";
import { english } from "@/lib/platform/i18n/english";
import { portalText } from "@/lib/platform/i18n/messages";
import { erasableKinds } from "@/lib/privacy/erasure-batch";

it("uses the settings' word for API keys, not the one for keyboard keys", async () => {
  const german = portalText("de");
  expect([subjectLabel("key", english), subjectLabel("key", german)]).toEqual(["API keys", "API-Schlüssel"]);
  expect(subjectLabel("something_new", german)).toBe("something_new");
});

it("has labels for all audit actions and details", () => {
  // The compiler checks these names where entries are written. Settings and kinds of personal data are logged under
  // their own names.
  expect(Object.keys(ClientSettings.shape).filter((name) => !Object.hasOwn(details, name))).toEqual([]);
  expect(Object.keys(ClientSettings.shape.config.shape).filter((name) => !Object.hasOwn(configDetails, name))).toEqual(
    [],
  );
  expect(erasableKinds.filter((name) => !Object.hasOwn(dataKindLabels, name))).toEqual([]);
});

it("shows readable details", async () => {
  const storeName = (id: string) => (id === "shop-a" ? "Shop A" : id);
  const textOf = (detail: Record<string, unknown>, t = english) =>
    detailsText({ detail, subject_name: "anna" }, { timeZone: "Europe/Berlin", storeName }, t);
  expect(textOf({ username: "anna", role: "admin", was: "viewer" })).toBe("Role: Admin; Previously: Viewer");
  expect(textOf({ name: "Store", scopes: ["read", "privacy"] })).toBe(
    "Name: Store; Permissions: Read and Personal data",
  );
  expect(textOf({ roles: { "shop-a": "moderator" }, all_clients: true })).toBe(
    "Roles by store: Shop A: Moderator; All stores: Yes",
  );
  expect(textOf({ url: "https://x.example", schedule: "every_6_hours", enabled: false, format: null })).toBe(
    "URL: https://x.example; Frequency: every 6 hours; Fetch on schedule: No; Format: –",
  );
  expect(textOf({ items: ["A", "B"], until: "2026-03-08" })).toBe("Items: A and B; Until: 8 Mar 2026");
  expect(textOf({ items: ["A"], until: null })).toBe("Items: A; Paused indefinitely");
  expect(textOf({ removed: { reviews: 2, seller_reviews: 1 }, requested_at: "2026-03-08T12:05:00Z" })).toBe(
    "Deleted: Reviews: 2 and Seller reviews: 1; Requested: 8 Mar 2026, 13:05",
  );
  expect(textOf({ secrets: [], send_limit: 2_000 })).toBe("Daily email limit: 2,000");
  expect(textOf({ allowed_origins: [], custom_questions: [] })).toBe("Allowed sites: –; Custom questions: –");
  expect(textOf({ clients: ["shop-a", "shop-b"] })).toBe("Stores: Shop A and shop-b");
  expect(textOf({ clients: [], other_clients: 2 })).toBe("Other stores: 2");
  expect(textOf({ config: { html_template: "<p>", logo_width: 80 } })).toBe("HTML; Logo width: 80");
  expect(textOf({ secrets: ["consumer_key", "consumer_secret"] })).toBe("New credentials: 2");
  const german = portalText("de");
  expect(
    textOf({ config: { time_zone: "Europe/Berlin", templates: { de: { subject: "x" } } }, rules: {} }, german),
  ).toBe("Zeitzone: Europe/Berlin; Vorlagen; Regeln");
  // Entries written under names that no longer exist.
  expect(textOf({ something_old: 1, constructor: "x" })).toBe("something old: 1; constructor: x");
  expect(textOf({ url: "x".repeat(200) })).toHaveLength(142);
});
