import { expect, it, vi } from "vitest";
import { SetupCard } from "@/components/insights/setup/setup-card";
import { SetupList } from "@/components/insights/setup/setup-list";
import { stepsOf } from "@/lib/insights/setup/rules";
import type { Setup } from "@/lib/insights/setup/schema";
import { type SetupStepName, setupSteps } from "@/lib/insights/setup/values";
import { renderInEnglish } from "@/lib/tools/test/render";

// These need the router and the service.
vi.mock(import("@/components/insights/setup/test-order-form"), () => ({ TestOrderForm: () => <form /> }));
vi.mock(import("@/components/insights/setup/widget-step"), () => ({ WidgetStep: () => <form /> }));
vi.mock(import("@/components/insights/setup/sender-check"), () => ({ SenderCheck: () => <button type="button" /> }));
vi.mock(import("@/components/insights/setup/change-setup"), async (original) => ({
  ...(await original()),
  SkipStep: ({ skipped }) => <button type="button">{skipped ? "show" : "skip"}</button>,
  DismissSetup: () => <button type="button" />,
}));

const steps = (done: SetupStepName[], skipped: string[] = []) =>
  stepsOf(
    Object.fromEntries(setupSteps.map((name) => [name, done.includes(name)])) as Record<SetupStepName, boolean>,
    skipped,
  );
const mailed: Setup = {
  steps: steps(["products", "branding", "order"]),
  finished: 3,
  dismissed: false,
  order: "test/1",
  isTest: true,
  isSent: true,
  storedMail: "mail_1",
  form: "https://candor.example/r/token",
  sender: { address: "reviews@shop.example", domain: "shop.example", check: null },
  widget: null,
  platform: "html",
};
const list = (changed: Partial<Setup> = {}): string =>
  renderInEnglish(
    <SetupList
      setup={{ ...mailed, ...changed }}
      clientId="shop"
      origin="https://candor.example"
      timeZone="UTC"
      email=""
      link={(path) => `${path}?client_id=shop`}
    />,
  );
/** The step with this title, as rendered. */
const step = (title: string, changed?: Partial<Setup>): string =>
  list(changed)
    .split("<li")
    .find((item) => item.includes(title)) ?? "";

it("marks the next step, and no other", () => {
  expect(step("Check your From address")).toContain('aria-current="step"');
  expect(list().match(/aria-current="step"/g)).toHaveLength(1);
  const skipped = { steps: steps(["products", "branding", "order"], ["sender"]) };
  expect(step("Open the email", skipped)).toContain('aria-current="step"');
  expect(step("Check your From address", skipped)).toContain("(skipped)");
});

it("keeps the links to the email after it was sent", () => {
  for (const done of [[], ["email"]] as SetupStepName[][]) {
    const email = step("Open the email", { steps: steps(done) });
    expect(email).toContain('href="/portal/mailbox/mail_1?client_id=shop"');
    expect(email).toContain('href="/portal/orders/test%2F1?client_id=shop"');
  }
  expect(step("Open the email", { storedMail: null, steps: steps(["email"]) })).not.toContain("<a");
});

it("offers a test order until an email was sent, and its form until there is a review", () => {
  expect(step("Create your first order")).not.toContain("<form");
  expect(step("Create your first order", { isSent: false })).toContain("<form");
  expect(step("Write the first review")).toContain('href="https://candor.example/r/token"');
  expect(step("Write the first review", { form: null })).not.toContain("<a");
});

it("can't check a sender without a domain of its own", () => {
  const without = { sender: { address: "reviews@localhost", domain: null, check: null } };
  expect(step("Check your From address", without)).toContain("enter a From address");
  expect(step("Check your From address", without)).toContain("/portal/settings/sending");
});

it("offers to skip only what a store may not need", () => {
  expect(step("Import your products")).not.toContain("skip");
  for (const title of ["Show reviews on your product pages", "Invite your team", "Import earlier reviews"])
    expect(step(title), title).toContain("skip");
});

it("names the progress and the next step on the home page", () => {
  const card = renderInEnglish(<SetupCard setup={mailed} clientId="shop" href="/portal/setup" />);
  expect(card).toContain("3 of 10 completed");
  expect(card).toContain("Next: Check your From address");
  expect(card).toContain('href="/portal/setup"');
});
