import { script, tarball } from "@/lib/honesty/verifier/generated/assets";
import { type Asset, assetReply, SHORT_CACHE, toAsset } from "@/lib/platform/http/asset";
import type { Reply } from "@/lib/platform/http/reply";

const assets: { program?: Asset; package?: Asset } = {};

/** The program that verifies logs. */
export function showVerifier(headers: Headers): Reply<undefined> {
  assets.program ??= toAsset(script);
  return assetReply(assets.program, headers, SHORT_CACHE);
}

/** The same as a package for npm. */
export function showVerifierPackage(headers: Headers): Reply<undefined> {
  assets.package ??= toAsset(Buffer.from(tarball, "base64"));
  return assetReply(assets.package, headers, SHORT_CACHE);
}
