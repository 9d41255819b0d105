import { expect, it } from "vitest";
import { deliveryBadge, deliverySummary } from "@/components/integrations/webhooks/delivery-labels";
import { eventGroups, eventsSummary, pendingLabel } from "@/components/integrations/webhooks/labels";
import { defaultEvents, webhookEvents } from "@/lib/integrations/webhooks/values";
import { english } from "@/lib/platform/i18n/english";

it("has one checkbox for each event", () => {
  expect(eventGroups.flatMap(({ events }) => Object.keys(events)).sort()).toEqual([...webhookEvents].sort());
});

it("summarizes the events", () => {
  expect(eventsSummary(defaultEvents, english)).toBe("all events");
  expect(eventsSummary(webhookEvents, english)).toBe("all events, including invitations to send");
  expect(eventsSummary(["review.created"], english)).toBe("1 event type");
  expect(eventsSummary(["personal_data.deleted", "review.created", "review.updated"], english)).toBe(
    "deletions of personal data and 2 other event types",
  );
  expect([
    pendingLabel(0, english),
    pendingLabel(1, english),
    pendingLabel(7, english),
    pendingLabel(1_000, english),
  ]).toEqual(["no pending events", "1 pending event", "7 pending events", "1,000 or more pending events"]);
});

it("calls a test event failed because it is tried once", () => {
  expect(deliveryBadge({ state: "failed", event: "review.created" }, english)).toEqual({ word: "Failed", tone: "bad" });
  expect(deliveryBadge({ state: "failed", event: "webhook.test" }, english)).toEqual({ word: "Failed", tone: "bad" });
  expect(deliveryBadge({ state: "sent", event: "webhook.test" }, english)).toEqual({ word: "Delivered", tone: "good" });
});

it("shows when an event is retried: at a future time, else soon, and nothing if a person has to retry it", () => {
  const tried = {
    ...{ id: "1", message_id: "msg_1", event: "review.created", subject: "a", happened_at: "2026-02-01T10:00:00Z" },
    ...{ attempts: 1, tried_at: "2026-02-01T10:00:00Z", status: 500, error: "It answered 500.", attempt_log: [] },
    state: "pending" as const,
  };
  const story = (due_at: string | null) => deliverySummary({ ...tried, due_at }, "UTC", english);
  expect(story("2999-02-01T10:00:00Z")).toMatch(/^It answered 500\. Next attempt: .*2999.*\.$/);
  expect(story("2001-02-01T10:00:00Z")).toBe("It answered 500. Retrying soon.");
  expect(story(null)).toBe("It answered 500.");
  const triedThreeTimes = { ...tried, due_at: null, attempts: 3 };
  expect(deliverySummary(triedThreeTimes, "UTC", english)).toBe("It answered 500. 3 attempts.");
  expect(deliverySummary(triedThreeTimes, "UTC", english, { showsAttempts: false })).toBe("It answered 500.");
});
