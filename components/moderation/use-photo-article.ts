"use client";

import { useEffect, useState } from "react";
import type { QueueItem } from "@/lib/moderation/queue/schema";

let script: Promise<typeof import("@/components/moderation/photo-article")> | undefined;

/** Loads what shows a photo on its own. Photos are rarely first, so it is in a script of its own. */
export function loadPhotoArticle() {
  script ??= import("@/components/moderation/photo-article");
  return script;
}

/** The state of what shows photos. Loads it as soon as a list has one, before the photo is selected. */
export function usePhotoArticle(items: readonly QueueItem[]): "loading" | "loaded" | "failed" {
  const [state, setState] = useState<"loading" | "loaded" | "failed">("loading");
  const hasPhoto = items.some(({ kind }) => kind === "photo");
  useEffect(() => {
    if (!hasPhoto) return;
    loadPhotoArticle().then(
      () => setState("loaded"),
      () => setState("failed"),
    );
  }, [hasPhoto]);
  return state;
}
