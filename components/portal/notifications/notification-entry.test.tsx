import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { NotificationEntry } from "@/components/portal/notifications/notification-entry";
import { notificationPath, notificationText } from "@/lib/accounts/notifications/rules";
import type { Notification } from "@/lib/accounts/notifications/schema";
import { notificationKinds } from "@/lib/accounts/notifications/values";
import { languages } from "@/lib/platform/i18n/languages";
import { portalText } from "@/lib/platform/i18n/messages";
import { renderInEnglish } from "@/lib/tools/test/render";

const notification: Notification = {
  id: "7",
  kind: "feed_failed",
  params: { url: "https://shop.example/<feed>.xml" },
  client_id: "shop",
  client_name: "Lampor & Ljus",
  path: "/portal/feeds?client_id=shop",
  count: 1,
  created_at: "2026-06-01T10:00:00Z",
  again_at: "2026-06-01T10:00:00Z",
  read_at: null,
};
const render = (given: Partial<Notification> = {}) =>
  renderInEnglish(
    <QueryClientProvider client={new QueryClient()}>
      <NotificationEntry notification={{ ...notification, ...given }} timeZone="UTC" />
    </QueryClientProvider>,
  );
const textOf = (html: string) => html.replace(/<[^>]*>/g, "");

it("says what happened, at which store, how often, and whether it is unread", () => {
  const html = render({ count: 3 });
  expect(html).toContain('href="/portal/feeds?client_id=shop"');
  expect(html).toContain('dateTime="2026-06-01T10:00:00Z"');
  expect(textOf(html)).toMatch(
    /^Unread: Feed import failed: https:\/\/shop\.example\/&lt;feed&gt;\.xmlLampor &amp; Ljus.*3 times$/,
  );
  const read = textOf(render({ read_at: "2026-06-01T11:00:00Z", client_id: null, client_name: null }));
  expect(read).toMatch(/^Feed import failed/);
  expect(read).not.toMatch(/Unread|Lampor|time/);
});

it("has a text for every kind in every language, with all values", () => {
  const values = { url: "URL", integration: "commerce", hours: 48, file: "lamps.csv", name: "Ada" };
  for (const language of languages) {
    const t = portalText(language);
    const texts = notificationKinds.map((kind) => notificationText({ kind, params: values }, t));
    expect(new Set(texts).size).toBe(notificationKinds.length);
    for (const text of texts) expect(text).not.toMatch(/[{}]|undefined|notifications\.|common\./);
    const [one, many] = [1, 2].map((stores) =>
      notificationText({ kind: "moderation_overdue", params: { hours: 48, stores } }, t),
    );
    expect([one, many]).toEqual([expect.stringContaining("1"), expect.stringContaining("2")]);
  }
  // An integration of a newer version is named by its code.
  expect(notificationText({ kind: "integration_stopped", params: { integration: "new" } }, portalText("en"))).toBe(
    "Integration failing: new",
  );
});

it("leads to the page at its store", () => {
  expect(notificationPath("/portal/queue", null)).toBe("/portal/queue");
  expect(notificationPath("/portal/queue", "a b")).toBe("/portal/queue?client_id=a%20b");
  expect(notificationPath("/portal/failures?kind=jobs", "a")).toBe("/portal/failures?kind=jobs&client_id=a");
});
