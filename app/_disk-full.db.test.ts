import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as live from "@/app/api/health/live/route";
import * as ready from "@/app/api/health/ready/route";
import * as health from "@/app/api/health/route";
import * as orders from "@/app/v1/orders/route";
import { isOutOfSpace } from "@/lib/platform/db/out-of-space";
import { pool } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { writeFile } from "@/lib/platform/storage/files";
import { call } from "@/lib/tools/test/call";
import { aClient, type TestClient } from "@/lib/tools/test/factories";

// A full disk: the database fails to store a row as PostgreSQL does, and the file system fails to store a file.

let shop: TestClient;
beforeAll(async () => {
  shop = await aClient();
});

// Readiness results of an earlier test must have expired (30 s).
let now = Date.now();
beforeEach(() => {
  now += 31_000;
  vi.useFakeTimers({ toFake: ["Date"], now });
});
afterEach(() => vi.useRealTimers());

const post = (id: string) =>
  call(orders, "POST", "/v1/orders", {
    key: shop.key,
    body: { order: { id, customer: { id: "c" }, items: [{ id: "lamp" }] } },
  });
/** Checks that both readiness paths return the same status, and that liveness stays 200. */
const readiness = async () => {
  const answer = await call(ready, "GET", "/api/health/ready");
  expect((await call(health, "GET", "/api/health")).status).toBe(answer.status);
  expect((await call(live, "GET", "/api/health/live")).status).toBe(200);
  return answer;
};

describe("with a full database disk", () => {
  beforeAll(async () => {
    await pool().query(`create function refuse_for_space() returns trigger language plpgsql as
      $$ begin raise exception using errcode = '53100', message = 'could not extend file "base/5/1": No space left on device'; end $$`);
    await pool().query(
      "create trigger refuse before insert on orders for each row execute function refuse_for_space()",
    );
    return async () => {
      await pool().query("drop function refuse_for_space() cascade");
    };
  });

  it("returns 503 with Retry-After for writes, and reports not ready until there is space", async () => {
    expect((await readiness()).status).toBe(200);
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => post(`full-${index}`)));
    for (const answer of answers) {
      expect({ status: answer.status, code: answer.json.errors[0].code }).toEqual({ status: 503, code: "unavailable" });
      expect(answer.headers.get("retry-after")).toBe("30");
      expect(answer.text).not.toContain("base/5");
    }
    const red = await readiness();
    expect({ status: red.status, after: red.headers.get("retry-after") }).toEqual({ status: 503, after: "30" });

    await pool().query("alter table orders disable trigger refuse");
    expect((await post("fits")).status).toBe(200);
    vi.setSystemTime(Date.now() + 31_000);
    expect((await readiness()).status).toBe(200);
  });
});

it("returns 503 for a file that can't be stored, and names the full folder in the error", async () => {
  // The device that is always full: the operating system itself refuses the write.
  const file = path.join(env().DATA_DIR, "images/full/photo.jpg");
  mkdirSync(path.dirname(file), { recursive: true });
  symlinkSync("/dev/full", file);
  try {
    const refused = await writeFile("full/photo.jpg", new Uint8Array(10)).catch((error) => error);
    expect(refused).toMatchObject({ code: "unavailable", headers: { "Retry-After": "5" } });
    expect(refused.cause.message).toMatch(/images can't be used: ENOSPC/);
    expect(isOutOfSpace(refused)).toBe(true);
  } finally {
    rmSync(file);
  }
});

it("an unwritable file folder makes readiness fail, and files are answered with 503 until it is writable", async () => {
  const folder = path.join(env().DATA_DIR, "images");
  const backup = `${folder}.away`;
  if (existsSync(folder)) renameSync(folder, backup);
  expect((await readiness()).status).toBe(200); // no file stored yet
  writeFileSync(folder, "");
  try {
    vi.setSystemTime(Date.now() + 11_000);
    const red = await readiness();
    expect({ status: red.status, after: red.headers.get("retry-after") }).toEqual({ status: 503, after: "5" });
    await expect(writeFile("a/b.jpg", new Uint8Array(1))).rejects.toMatchObject({ code: "unavailable" });
    expect((await post("no-file-needed")).status).toBe(200);
  } finally {
    rmSync(folder);
    if (existsSync(backup)) renameSync(backup, folder);
  }
  vi.setSystemTime(Date.now() + 11_000);
  expect((await readiness()).status).toBe(200);
});
