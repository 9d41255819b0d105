import * as deletion from "@/app/v1/personal_data/delete/route";
import { call, type TestResponse } from "@/lib/tools/test/call";
import type { TestClient } from "@/lib/tools/test/factories";
import { findEverywhere } from "@/lib/tools/test/find-everywhere";

/** Calls the API to erase a person. */
export const erase = (shop: TestClient, body: Record<string, unknown>): Promise<TestResponse> =>
  call(deletion, "POST", "/v1/personal_data/delete", { key: shop.key, body });

/** Tables and files that contain one of the texts. */
export const placesOf = async (texts: string[]): Promise<string[]> =>
  [...new Set(Object.values(await findEverywhere(texts)).flat())].sort();
