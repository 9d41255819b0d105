import { describe, expect, it } from "vitest";
import { isMisplacedCredential, maskedPath, withoutCredentials } from "@/lib/platform/http/masked-path";

const secret = "sk_0f3a5c7e9b";
const masked = (path: string) => maskedPath(new URL(path, "http://localhost:3000"));

describe("maskedPath", () => {
  it.each([
    [`/v1/orders?token=${secret}&limit=1`, "/v1/orders?token=***&limit=1"],
    [`/v1/orders?limit=1&Token=${secret}&TOKEN=x`, "/v1/orders?limit=1&Token=***&TOKEN=***"],
    [`/v1/orders?%74oken=${secret}`, "/v1/orders?token=***"],
    [`/v1/orders&token=${secret}`, "/v1/orders&token=***"],
    [`/v1/orders/7;token=${secret}/x?limit=1`, "/v1/orders/7;token=***/x?limit=1"],
    [`/v1/orders?limit=1?token=${secret}`, "/v1/orders?limit=1?token=***"],
    [`/v1/orders?limit=1&amp;token=${secret}`, "/v1/orders?limit=1&amp;token=***"],
    [`/v1/orders%3Ftoken%3D${secret}`, "/v1/orders%3Ftoken%3D***"],
    [`/v1/orders%253Ftoken%253D${secret}`, "/v1/orders%253Ftoken%253D***"],
    [`/v1/orders/${secret}`, "/v1/orders/sk_***"],
    [`/v1/orders?key=${secret}&${secret}=1`, "/v1/orders?key=sk_***&sk_***=1"],
    ["/v1/orders?key=sk%5F0f3a&x%3Dsk_0f3a", "/v1/orders?key=sk%5F***&x%3Dsk_***"],
    ["/v1/orders/sk%5F0f3a", "/v1/orders/sk%5F***"],
    ["/v1/orders?customer_email=a%40b.c&limit=2", "/v1/orders?customer_email=***&limit=2"],
    ["/r/abcdefgh?token=x", "/r/abcd…?token=***"],
    ["/edit/abcdefgh", "/edit/abcd…"],
    ["/honesty/shop/receipt/r.abcdefgh?lang=sv", "/honesty/shop/receipt/r.ab…?lang=sv"],
    ["/portal/recording/abcdefgh", "/portal/recording/abcd…"],
    ["/honesty/shop/receipt/r.abcdefgh/receipt.json", "/honesty/shop/receipt/r.ab…/receipt.json"],
    ["/v1/orders/task_1?order_id=sku_2", "/v1/orders/task_1?order_id=sku_2"],
  ])("%s is %s", (path, shown) => expect(masked(path)).toBe(shown));
});

describe("withoutCredentials", () => {
  it.each([
    ["/portal/reviews?client_id=a&page=2", "/portal/reviews?client_id=a&page=2"],
    [`/portal/reviews?client_id=a&token=${secret}`, "/portal/reviews?client_id=a"],
    [`/portal?token=${secret}`, "/portal"],
    [`/portal?%74oken=${secret}&b=c%20d`, "/portal?b=c+d"],
    [`/portal?a=1?token=${secret}&b=2`, "/portal?b=2"],
    [`/portal?a=1%26token%3D${secret}`, "/portal"],
    [`/portal?TOKEN=${secret}&to=%2Fportal%3Ftoken%3D${secret}&q=%ZZ`, "/portal?q=%25ZZ"],
    [`/portal?key=sk_${"0a".repeat(24)}&b=2`, "/portal?b=2"],
    ["/reviews/new?client_id=a&key=sk_100", "/reviews/new?client_id=a&key=sk_100"],
    ["/portal?q=token&id=task_1&to=/portal", "/portal?q=token&id=task_1&to=%2Fportal"],
    ["/", "/"],
  ])("%s is %s", (address, seen) => expect(withoutCredentials(address)).toBe(seen));

  it("isMisplacedCredential detects a credential in the path", () => {
    for (const path of [
      "/portal&token=x",
      "/portal/reviews;token=x",
      "/portal%26token%3Dx",
      "/v1/x&api_key=y",
      `/portal/sk_${"0a".repeat(24)}`,
    ])
      expect(isMisplacedCredential(path)).toBe(true);
    for (const path of ["/portal", "/portal/orders/token=5", "/portal/orders/sk_12", "/r/abc", "/%ff"])
      expect(isMisplacedCredential(path)).toBe(false);
  });
});
