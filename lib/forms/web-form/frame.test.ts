import { expect, it } from "vitest";
import { frameOf } from "@/lib/forms/web-form/frame";
import { webFormPath } from "@/lib/forms/web-form/link";
import { withFrameAncestors } from "@/lib/platform/http/page-headers";

const shop = { allowed_origins: ["https://shop.example", "http://localhost:8080", "https://[2001:db8::1]"] };
const policy = "default-src 'self'; frame-ancestors 'none'";

it("lets the allowed origins frame a form, and any page if the store lists none", () => {
  expect(withFrameAncestors(policy, frameOf(shop, {}).ancestors)).toBe(
    "default-src 'self'; frame-ancestors https://shop.example http://localhost:8080 https://[2001:db8::1]",
  );
  expect(withFrameAncestors(policy, frameOf({ allowed_origins: [] }, {}).ancestors)).toBe(
    "default-src 'self'; frame-ancestors *",
  );
});

it("leaves out an origin that would change the policy, and allows no page if none remains", () => {
  const odd = ["https://a;sandbox", "https://b,c", "https://'self'", "https://*.example"];
  for (const origin of odd) expect(new URL(origin).origin).toBe(origin);
  expect(frameOf({ allowed_origins: [...odd, "https://shop.example"] }, {}).ancestors).toEqual([
    "https://shop.example",
  ]);
  expect(withFrameAncestors(policy, frameOf({ allowed_origins: odd }, {}).ancestors)).toBe(policy);
});

it("reads the frame's parameters, and takes a page's address only of an allowed origin", () => {
  const url = "https://shop.example/lamp?size=s";
  expect(frameOf(shop, { noheader: "1", messageid: "tf-7", url })).toMatchObject({
    messageId: "tf-7",
    page: url,
    hasHeader: false,
  });
  expect(frameOf(shop, { noheader: "0", messageid: "" })).toMatchObject({ messageId: null, hasHeader: true });
  const refused = ["https://evil.example/", "blob:https://shop.example/1", "javascript:alert(1)", "//shop.example", ""];
  for (const other of refused) expect(frameOf(shop, { url: other }).page, other).toBeNull();
  expect(frameOf({ allowed_origins: [] }, { url }).page).toBeNull();
});

it("has the same parameters on the page after submission", () => {
  const query = {
    client_id: "shop.example",
    key: "lamp",
    noheader: "1",
    messageid: "7",
    url: "https://shop.example/a",
  };
  const { searchParams } = new URL(webFormPath({ ...query, sent: "1" }), "http://localhost");
  expect(Object.fromEntries(searchParams)).toEqual({ ...query, sent: "1" });
});
