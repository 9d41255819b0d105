import { endpoint } from "@/lib/platform/http/contract";
import { single } from "@/lib/platform/http/fields";
import {
  AdvancedClock,
  AdvanceInput,
  FillInput,
  FillResult,
  RecordingLink,
  TestClock,
  TestClockQuery,
} from "@/lib/test-clock/schema";

const shared = { path: "/v1/test/clock", tag: "Test stores", auth: "management", query: TestClockQuery } as const;

const exampleClock = { days: 60, today: "2026-07-19", now: "2026-07-19T09:12:45Z" };

export const getTestClockContract = endpoint({
  ...shared,
  id: "test_clock.get",
  method: "GET",
  summary: "Retrieve a test store's clock",
  description: "Responds with 409 for a store that isn't a test store.",
  response: single(TestClock),
  errors: ["conflict"],
  example: { query: "client_id=test.example.com", answer: { data: exampleClock } },
});

export const advanceTestClockContract = endpoint({
  ...shared,
  id: "test_clock.advance",
  method: "POST",
  summary: "Advance a test store's clock",
  description:
    "Does what is due on each day: sends invitations and reminders to the mailbox, delivers webhooks, syncs integrations, imports feeds, notifies of items pending for two days, deletes what expires. Responds when all is done. All times of the store's records are moved into the past by as many days, so a program that reads changes since a time must start over. Responds with 409 for a store that isn't a test store, and while another call advances its clock.",
  body: AdvanceInput,
  response: single(AdvancedClock),
  errors: ["conflict"],
  idempotency: "no",
  example: {
    query: "client_id=test.example.com",
    body: { advance: "60d" },
    answer: {
      data: { ...exampleClock, advanced_days: 60, invitations: 14, reminders: 9, emails: 23, webhooks: 0, deleted: 2 },
    },
  },
});

export const fillTestStoreContract = endpoint({
  id: "portal.test_store.fill",
  method: "POST",
  path: "/portal/api/v1/test_store/fill",
  tag: "Portal",
  summary: "Fill a test store with another store's recent orders",
  description:
    "Copies the orders of the last 30 days of a store that the person may manage, too: products, days, and which orders are of the same customer. All people are made up.",
  auth: "session",
  query: TestClockQuery,
  body: FillInput,
  response: single(FillResult),
  errors: ["conflict", "client_forbidden"],
});

export const replaceRecordingLinkContract = endpoint({
  id: "portal.test_store.replace_link",
  method: "POST",
  path: "/portal/api/v1/test_store/recording_link",
  tag: "Portal",
  summary: "Replace the link to a test store's recording",
  description: "Earlier links no longer work. Responds with 409 for a store that isn't a test store.",
  auth: "session",
  query: TestClockQuery,
  response: single(RecordingLink),
  errors: ["conflict"],
});
