import { expect, it } from "vitest";
import { storePhoto } from "@/lib/forms/store-photos";
import { publicText } from "@/lib/platform/i18n/public-texts";
import { perProcess } from "@/lib/platform/process";
import "@/lib/tools/test/database";

it("asks to try again if too many images are being processed, without losing the input", async () => {
  perProcess("image-turns", () => ({ free: 0, waiting: Array.from({ length: 32 }, () => () => {}) }));
  const sender = { client: { id: "shop" }, visitor: "shop|192.0.2.1", t: publicText("en") };
  const result = await storePhoto(new File(["x"], "lamp.png"), sender);
  expect(result).toEqual({ issue: sender.t("form.errorBusy") });
});
