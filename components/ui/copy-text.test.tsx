import { expect, test } from "vitest";
import { renderInEnglish } from "@/lib/tools/test/render";
import { CopyButton } from "./copy-text";
import { Toasts } from "./toast";

test("buttons to copy an id are named by it, and by their tooltip", () => {
  const attributes = ["key_1", "key_2"].map((id) => {
    const html = renderInEnglish(
      <Toasts>
        <CopyButton text={id} label="ID" />
      </Toasts>,
    );
    return [/aria-label="([^"]*)"/.exec(html)?.[1], /title="([^"]*)"/.exec(html)?.[1]];
  });
  expect(attributes).toEqual([
    ["Copy ID: key_1", "Copy ID"],
    ["Copy ID: key_2", "Copy ID"],
  ]);
});
