import { expect, it } from "vitest";
import { ReviewBody } from "@/lib/reviews/collect/schema";
import { pageUrl } from "./page-url";

const given = { client_id: "shop", api_key: "pk", product_id: "sku-1", author: "Ada", score: 5, content: "Warm." };
const at = (address: string) => pageUrl(new URL(address) as unknown as Location);

it("returns the page's URL without query, and undefined for one that a submission would reject", () => {
  expect(at("https://shop.example:8080/lamps/ön?email=ada@example.org#buy")).toBe(
    "https://shop.example:8080/lamps/%C3%B6n",
  );
  const receivedLengths: number[] = [];
  for (let length = 1_900; length < 2_100; length += 1) {
    const product_url = at(`https://shop.example/${"x".repeat(length)}`);
    if (product_url) receivedLengths.push(product_url.length);
    expect(ReviewBody.safeParse({ ...given, product_url }).success).toBe(true);
  }
  expect(Math.max(...receivedLengths)).toBeGreaterThan(1_950);
  expect(Math.max(...receivedLengths)).toBeLessThanOrEqual(2_000);
  for (const address of ["about:blank", "data:text/html,x", "file:///C:/shop.html"])
    expect(at(address)).toBeUndefined();
});
