import { script } from "@/lib/honesty/verifier/generated/assets";
import { type Asset, assetReply, SHORT_CACHE, toAsset } from "@/lib/platform/http/asset";
import type { Reply } from "@/lib/platform/http/reply";

let asset: Asset | undefined;

/** The program that verifies logs. */
export function showVerifier(headers: Headers): Reply<undefined> {
  asset ??= toAsset(script);
  return assetReply(asset, headers, SHORT_CACHE);
}
