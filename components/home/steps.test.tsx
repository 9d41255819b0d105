import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { Steps } from "@/components/home/steps";
import type { FirstSteps } from "@/lib/home/schema";

// Where a link leads by itself is its own matter; here it is one.
vi.mock(import("@/components/ui/link"), () => ({
  Link: ({ href, children }) => <a href={String(href)}>{children}</a>,
}));
vi.mock(import("@/components/home/late-test-order"), () => ({ TestOrderForm: () => null }));

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
/** The step with this title, as it is drawn. */
const step = (title: string, steps: Partial<FirstSteps> = {}): string =>
  renderToStaticMarkup(<Steps steps={{ ...mailed, ...steps }} clientId="shop" mayChange href={href} />)
    .split("<li")
    .find((item) => item.includes(title)) ?? "";

it("keeps the email at hand after it was sent, until somebody has read it", () => {
  const open = step("Read its mail");
  expect(open).not.toContain("(done)");
  for (const link of ["/orders/test-1", "/mailbox"]) expect(open).toContain(`href="${link}"`);
  expect(step("Read its mail", { read: true })).toContain("(done)");
});

it("has the form itself where the last step asks for a review", () => {
  expect(step("Write the first review")).toContain('href="https://candor.example/r/token"');
  expect(step("Write the first review", { form: null })).not.toContain("<a");
});
