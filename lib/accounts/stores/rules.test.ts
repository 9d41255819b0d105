import { expect, it } from "vitest";
import { widgetOriginOf } from "@/lib/accounts/stores/rules";

it("is the store's own host with this service's scheme, else this service", () => {
  const own = { widget_host: "reviews.shop.example:8443" };
  expect(widgetOriginOf(own, "https://candor.example")).toBe("https://reviews.shop.example:8443");
  expect(widgetOriginOf(own, "http://localhost:3000")).toBe("http://reviews.shop.example:8443");
  for (const config of [{}, { widget_host: "" }, { widget_host: null }])
    expect(widgetOriginOf(config, "https://candor.example")).toBe("https://candor.example");
});
