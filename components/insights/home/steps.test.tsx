import { expect, it, vi } from "vitest";
import { Steps } from "@/components/insights/home/steps";
import type { FirstSteps } from "@/lib/insights/home/schema";
import { renderInEnglish } from "@/lib/tools/test/render";

// The form needs the router and the service.
vi.mock(import("@/components/insights/home/test-order-form"), () => ({ TestOrderForm: () => <form /> }));

const mailed: FirstSteps = {
  reachable: true,
  products: true,
  testOrder: "test-1",
  ordered: true,
  mailed: true,
  read: false,
  form: "https://candor.example/r/token",
  reviewed: false,
  done: false,
};
const href = { settings: "/settings", feeds: "/feeds", order: (id: string) => `/orders/${id}`, mailbox: "/mailbox" };
/** The step with this title, as rendered. */
const step = (title: string, steps: Partial<FirstSteps> = {}): string =>
  renderInEnglish(<Steps steps={{ ...mailed, ...steps }} clientId="shop" mayChange href={href} />)
    .split("<li")
    .find((item) => item.includes(title)) ?? "";

it("keeps the links to the email after it was sent, until it is read", () => {
  const open = step("Check the email");
  expect(open).not.toContain("(completed)");
  for (const link of ["/orders/test-1", "/mailbox"]) expect(open).toContain(`href="${link}"`);
  expect(step("Check the email", { read: true })).toContain("(completed)");
});

it("links to the review form in the last step", () => {
  expect(step("Write the first review")).toContain('href="https://candor.example/r/token"');
  expect(step("Write the first review", { form: null })).not.toContain("<a");
});
