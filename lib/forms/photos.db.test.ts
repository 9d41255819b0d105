import { expect, it } from "vitest";
import { takePhoto } from "@/lib/forms/photos";
import { perProcess } from "@/lib/platform/process";
import "@/lib/tools/test/database";
import { formWords } from "@/lib/forms/words";

it("asks to try again while too many images are worked on, instead of losing what was typed", async () => {
  perProcess("image-turns", () => ({ free: 0, waiting: Array.from({ length: 32 }, () => () => {}) }));
  const sender = { client: { id: "shop" }, visitor: "shop|192.0.2.1", words: formWords.en };
  const taken = await takePhoto(new File(["x"], "lamp.png"), sender);
  expect(taken).toEqual({ issue: formWords.en.fault_busy });
});
