import { expect, it } from "vitest";
import { readFile, removeFolder, writeFile } from "@/lib/platform/storage/files";

it.each([0, 1, 5_000, 100_000])("a file of %d bytes has exactly these bytes", async (size) => {
  const bytes = new Uint8Array(size).fill(7);
  await writeFile("files-test/one", bytes);
  const read = await readFile("files-test/one");
  expect(read && Buffer.compare(read, bytes)).toBe(0);
  expect(read?.buffer.byteLength).toBe(size);
  await removeFolder("files-test");
  expect(await readFile("files-test/one")).toBeNull();
});
