"use client";

import { useEffect, useState } from "react";

// Windows, menus and messages are of no use before somebody does something, and weigh as much as all the rest of a page.
// So they come when a person shows up: at the first press, touch, move or key, which is sooner than anything of them opens.

export type LatePart<T> = {
  /**
   * The part once it is needed: `null` while it is not, or is on its way; `failed` where it does not come. A higher number
   * asks once more.
   */
  use: (wanted: boolean | number) => T | "failed" | null;
  /** for what is drawn within it only, where it must be here */
  held: () => T;
  /** the part where it is here already */
  now: () => T | null;
  /** asks for it, and answers it as soon as it is here */
  fetch: () => Promise<T>;
};

const fetchAll = new Set<() => Promise<unknown>>();
let somebodyIsThere = false;

/** A part of a page that is fetched at the first sign of a person, or when it is needed. Make one where a module begins. */
export function latePart<T>(load: () => Promise<T>): LatePart<T> {
  let part: T | null = null;
  let coming: Promise<T> | null = null;
  const fetchPart = () => {
    coming ??= load().then(
      (loaded) => {
        part = loaded;
        return loaded;
      },
      (error) => {
        coming = null;
        throw error;
      },
    );
    return coming;
  };
  fetchAll.add(fetchPart);
  if (somebodyIsThere) fetchPart().catch(quietly);
  return {
    use: (wanted) => {
      const [failed, setFailed] = useState(false);
      const [, setHere] = useState(false);
      useEffect(() => {
        if (!wanted) return;
        // It may have come between the drawing that lacked it and this.
        if (part !== null) return setHere(true);
        let over = false;
        fetchPart().then(
          () => over || setHere(true),
          () => over || setFailed(true),
        );
        return () => {
          over = true;
          setFailed(false);
        };
      }, [wanted]);
      if (!wanted) return null;
      return part ?? (failed ? "failed" : null);
    },
    held: () => {
      if (part === null) throw new Error("This belongs within a part of the page that is here already.");
      return part;
    },
    now: () => part,
    fetch: fetchPart,
  };
}

/** Whoever opens it asks again, and is told. */
const quietly = () => {};

const signs = ["pointerdown", "pointermove", "touchstart", "keydown", "focusin"] as const;

/** Fetches the late parts of the page, and of those to come, as soon as a person does anything at all on it. */
export function useLatePartsAtFirstSign(): void {
  useEffect(() => {
    if (somebodyIsThere) return;
    const leave = () => {
      for (const sign of signs) removeEventListener(sign, come, true);
    };
    const come = () => {
      leave();
      somebodyIsThere = true;
      for (const fetchPart of fetchAll) fetchPart().catch(quietly);
    };
    for (const sign of signs) addEventListener(sign, come, { capture: true, passive: true });
    return leave;
  }, []);
}
